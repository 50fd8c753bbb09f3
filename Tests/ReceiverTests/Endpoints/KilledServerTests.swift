import Foundation
import HealthSyncTestTools
import Testing

/// The program itself, killed under load.
@Suite struct KilledServerTests {
    /// The program is next to the tests.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("healthsync").path

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "the program was not built"))
    func acknowledgedSamplesAreStoredOnceAfterManyKills() async throws {
        let (status, output) = try await Peer.run(
            "servers/kill_server.py",
            ["--program", Self.program, "--dir", TemporaryFolder.untilExit(), "--rounds", "6"])
        #expect(status == 0, "\(output)")
    }
}
