import HealthSyncTestTools
import Testing

/// A Python server process, which prints `ready PORT` once it listens. It is killed with this value.
final class PythonServer: Sendable {
    let port: Int
    private let process: PythonProcess

    /// Starts Python 3 with `arguments` and waits until it listens.
    init(_ arguments: [String]) async throws {
        process = try PythonProcess(arguments)
        let words = try await process.line().split(separator: " ")
        port = try #require(words.count == 2 ? Int(words[1]) : nil, "the server did not print its port")
    }

    deinit { kill() }

    func kill() { process.kill() }
}
