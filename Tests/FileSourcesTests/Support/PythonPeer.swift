import Dispatch
import Foundation

/// Runs the independent judges of `Tests/Support/Peers`, which are written in Python.
enum PythonPeer {
    struct Failed: Error { let output: String }

    /// The package's own folder.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// What `script` prints. `acceptedStatus` lists the exit statuses that are no failure.
    static func run(
        _ script: String, _ arguments: [String], acceptedStatus: Set<Int32> = [0]
    ) async throws -> Data {
        let file = package.appendingPathComponent("Tests/Support/Peers/\(script)").path
        return try await launch(["python3", "-B", file] + arguments, acceptedStatus)
    }

    /// What the program `source` prints; it may import the judges of exports.
    static func evaluate(_ source: String, _ arguments: [String]) async throws -> Data {
        let peers = package.appendingPathComponent("Tests/Support/Peers/exports").path
        return try await launch(
            ["python3", "-B", "-c", "import sys; sys.path.insert(0, sys.argv.pop(1))\n" + source, peers] + arguments,
            [0])
    }

    private static func launch(_ command: [String], _ acceptedStatus: Set<Int32>) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try wait(for: command, acceptedStatus) })
            }
        }
    }

    private static func wait(for command: [String], _ acceptedStatus: Set<Int32>) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard acceptedStatus.contains(process.terminationStatus) else {
            throw Failed(output: String(decoding: data, as: UTF8.self))
        }
        return data
    }
}
