package import Foundation

/// The independent checkers in `Tests/Support/Peers`, written in Python.
package enum Peer {
    /// Returns the path of the script `name`, such as `servers/received_pages.py`.
    package static func path(of name: String) -> String { ProjectFile.url("Tests/Support/Peers/\(name)").path }

    /// Returns the output of the script. Throws if it fails.
    package static func output(of name: String, _ arguments: [String] = []) async throws -> Data {
        let command = Command(["python3", "-B", path(of: name)] + arguments)
        return try await BlockingThread.run { try command.output() }
    }

    /// Returns the non-empty output lines of the script. Throws if it fails.
    package static func lines(of name: String, _ arguments: [String] = []) async throws -> [Substring] {
        String(decoding: try await output(of: name, arguments), as: UTF8.self).split(separator: "\n")
    }

    /// Returns the exit status and all output of the script.
    package static func run(_ name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let command = Command(["python3", "-B", path(of: name)] + arguments, errors: .besideOutput)
        let ending = try await BlockingThread.run { try command.run() }
        return (ending.status, ending.text)
    }

    /// Returns the output of the Python program `source`, which may import the checkers of exports.
    package static func evaluate(_ source: String, _ arguments: [String]) async throws -> Data {
        let program = "import sys; sys.path.insert(0, sys.argv.pop(1))\n" + source
        let command = Command(["python3", "-B", "-c", program, path(of: "exports")] + arguments)
        return try await BlockingThread.run { try command.output() }
    }
}
