import Synchronization
package import Foundation

/// A running Python program that communicates in lines. Its standard input closes with this value.
package final class PythonProcess: Sendable {
    private let input: FileHandle
    private let output: FileHandle
    private let identifier: Mutex<Int32?>

    /// - Parameter errors: the destination of standard error. A process that outlives the tests must not keep theirs open.
    package init(_ arguments: [String], errors: FileHandle = .nullDevice) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-B"] + arguments
        process.standardError = errors
        let (commands, answers) = try Command.starting.withLock {
            let (commands, answers) = (Pipe(), Pipe())
            process.standardInput = commands
            process.standardOutput = answers
            try process.run()
            return (commands, answers)
        }
        input = commands.fileHandleForWriting
        output = answers.fileHandleForReading
        identifier = Mutex(process.processIdentifier)
    }

    /// Returns the next output line without its line feed; empty at the end.
    package func line() async throws -> String {
        let output = output
        return try await BlockingThread.run {
            var line = Data()
            while let byte = try output.read(upToCount: 1), !byte.isEmpty, byte != Data([0x0A]) { line += byte }
            return String(decoding: line, as: UTF8.self)
        }
    }

    package func tell(_ line: String) throws { try input.write(contentsOf: Data("\(line)\n".utf8)) }

    /// Kills the process, because the inherited mask may block other signals.
    package func kill() {
        identifier.withLock { identifier in
            if let identifier { _ = Foundation.kill(identifier, SIGKILL) }
            identifier = nil
        }
    }
}
