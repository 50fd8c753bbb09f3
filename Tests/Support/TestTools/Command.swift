package import Foundation

/// A system program, found in PATH and run to completion.
package struct Command: Sendable {
    /// The destination of standard error.
    package enum Errors: Sendable { case shown, dropped, besideOutput }

    package struct Ending: Sendable {
        package let status: Int32
        package let output: Data

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package struct Failed: Error {
        package let command: [String]
        package let status: Int32
        package let output: String
    }

    /// Held from the creation of pipes until the process has started. Another process that starts meanwhile would inherit
    /// the pipes, and the end of the output would wait for its end.
    static let starting = NSLock()

    private let words: [String]
    private let errors: Errors

    package init(_ words: [String], errors: Errors = .shown) {
        self.words = words
        self.errors = errors
    }

    /// Returns whether a program of that name is in PATH.
    package static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Blocks until the program ends.
    package func run() throws -> Ending {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let output = try Self.starting.withLock {
            let output = Pipe()
            process.standardOutput = output
            switch errors {
            case .shown: break
            case .dropped: process.standardError = FileHandle.nullDevice
            case .besideOutput: process.standardError = output
            }
            try process.run()
            return output
        }
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ending(status: process.terminationStatus, output: bytes)
    }

    /// Returns the output. Blocks until the program ends, and throws unless its status is 0.
    package func output() throws -> Data {
        let ending = try run()
        guard ending.status == 0 else { throw Failed(command: words, status: ending.status, output: ending.text) }
        return ending.output
    }
}
