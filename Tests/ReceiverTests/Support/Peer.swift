import Foundation

/// The independent checkers, which are Python.
enum Peer {
    /// The folder of the package.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs the script called `name` to its end.
    static func run(_ name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let script = package.appendingPathComponent("Tests/Support/Peers/\(name)").path
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                        process.arguments = ["python3", "-B", script] + arguments
                        let pipe = Pipe()
                        process.standardOutput = pipe
                        process.standardError = pipe
                        try process.run()
                        let output = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
                    })
            }
        }
    }
}
