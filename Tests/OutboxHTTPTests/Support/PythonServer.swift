import Dispatch
import Foundation
import Synchronization
import Testing

/// A Python process that prints `ready PORT` once it listens; ended when let go of.
final class PythonServer: Sendable {
    let port: Int
    private let identifier: Mutex<Int32?>

    /// Starts Python 3 with `arguments` and waits until it listens.
    init(_ arguments: [String]) async throws {
        let (port, identifier) = try await withCheckedThrowingContinuation { continuation in
            // Waiting for a process blocks: not on a cooperative thread.
            DispatchQueue.global().async { continuation.resume(with: Result { try Self.start(arguments) }) }
        }
        self.port = port
        self.identifier = Mutex(identifier)
    }

    deinit { kill() }

    /// Ends the server at once: a gentler signal may be blocked by the mask that it inherited.
    func kill() {
        identifier.withLock { identifier in
            if let identifier { _ = Foundation.kill(identifier, SIGKILL) }
            identifier = nil
        }
    }

    private static func start(_ arguments: [String]) throws -> (port: Int, identifier: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardOutput = output
        // A server that outlives the tests must not keep their output open.
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([0x0A]) {
            line.append(byte)
        }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return (
            try #require(words.count == 2 ? Int(words[1]) : nil, "the server says where it listens"),
            process.processIdentifier
        )
    }
}
