import Foundation

/// Runs the scripts of `Tests/Support/Peers/feeds`: an implementation of the formats that shares no line with ours.
enum PythonJudge {
    struct Failed: Error { let output: String }

    /// What the script prints.
    static func run(_ script: String, _ arguments: [String] = []) async throws -> Data {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appendingPathComponent("Support/Peers/feeds/\(script)").path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try launch(["python3", "-B", file] + arguments) })
            }
        }
    }

    private static func launch(_ command: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(output: String(decoding: data, as: UTF8.self)) }
        return data
    }
}
