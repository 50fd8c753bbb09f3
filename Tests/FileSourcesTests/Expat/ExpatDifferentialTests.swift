import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// On every well-formed file the scanner finds the same records as expat.
@Suite struct ExpatDifferentialTests {
    /// A hundred files, or fewer or more.
    private static let unit = Seeds.count(few: 10, some: 100, many: 1_000)

    @Test(arguments: [
        ["--seed", "7", "--count", "\(6 * unit)"],
        ["--seed", "8", "--count", "\(2 * unit)", "--plain-values"],
        ["--seed", "9", "--count", "\(unit)", "--prolog-traps"],
    ])
    func recordsAreThoseOfExpat(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try await Peer.output(of: "exports/random_exports.py", arguments + ["--out", folder.path])
        let references = try await ExpatReference.read(folder.path)
        #expect(references.count >= Self.unit)
        for file in references {
            let reading = try await Exports.read(folder.path + "/" + file.file)
            file.check(reading)
        }
    }
}
