import Foundation

/// The independent checkers, run by Python.
enum Peer {
    struct Answer {
        var status: Int32
        var output: String
    }

    static func run(_ script: String, _ arguments: String...) async throws -> Answer {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Support/Peers")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", folder.appendingPathComponent(script).path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
                continuation.resume(
                    returning: Answer(
                        status: process.terminationStatus, output: String(decoding: output, as: UTF8.self)))
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
