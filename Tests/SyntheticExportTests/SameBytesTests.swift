import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSyntheticExport
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Equal requests give equal bytes, on every run and machine.
@Suite struct SameBytesTests {
    private func export(_ file: String = "export.xml", seed: UInt64 = 42) async throws -> (Data, truth: Data) {
        let folder = try TemporaryFolder()
        let request = ExportGenerationRequest(
            years: 1, seed: seed, zoneName: "Europe/Paris", outPath: folder.path(of: file),
            truthPath: folder.path(of: "truth.json"), density: 0.05)
        _ = try await SyntheticExport(time: ManualTime()).generate(request, progress: nil)
        return (try folder.contents(of: file), try folder.contents(of: "truth.json"))
    }

    /// FNV-1a, 64 bits: sufficient to detect a change, and simple enough to be unambiguous.
    private func digest(_ data: Data) -> UInt64 {
        data.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The bytes define a seed: an intended change must update these numbers.
    @Test func bytesAreTheSameOnEveryMachine() async throws {
        let (xml, truth) = try await export()
        #expect(String(digest(xml), radix: 16) == "25aa0fe52f96853e")
        #expect(String(digest(truth), radix: 16) == "1bf6659ef7a5c6a6")
    }

    @Test func archivesAreEqualToo() async throws {
        let first = try await export("export.zip")
        let second = try await export("export.zip")
        #expect(first == second)
    }

    @Test func anotherSeedGivesAnotherExport() async throws {
        let (xml, truth) = try await export()
        let (otherXML, otherTruth) = try await export(seed: 43)
        #expect(xml != otherXML)
        #expect(truth != otherTruth)
    }
}
