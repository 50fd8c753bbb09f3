import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// On every well-formed file the scanner finds the same records as expat.
@Suite struct ExpatDifferentialTests {
    /// HEALTHSYNC_THOROUGH=1 tests ten times as many files.
    private static let scale = ProcessInfo.processInfo.environment["HEALTHSYNC_THOROUGH"] == "1" ? 10 : 1

    @Test(arguments: [
        ["--seed", "7", "--count", "\(600 * scale)"],
        ["--seed", "8", "--count", "\(200 * scale)", "--plain-values"],
        ["--seed", "9", "--count", "\(100 * scale)", "--prolog-traps"],
    ])
    func recordsAreThoseOfExpat(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try await Peer.output(of: "exports/random_exports.py", arguments + ["--out", folder.path])
        let references = try await ExpatReference.read(folder.path)
        #expect(references.count >= 100)
        for file in references {
            let reading = try await Exports.read(folder.path + "/" + file.file)
            file.check(reading)
        }
    }
}
