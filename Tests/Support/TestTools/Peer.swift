package import Foundation

/// The independent judges of `Tests/Support/Peers`, which are written in Python.
package enum Peer {
    /// Where the script called `name` is, `servers/received_pages.py` for one.
    package static func path(of name: String) -> String { ProjectFile.url("Tests/Support/Peers/\(name)").path }

    /// What the script prints; throws where it fails.
    package static func output(of name: String, _ arguments: [String] = []) async throws -> Data {
        let command = Command(["python3", "-B", path(of: name)] + arguments)
        return try await BlockingThread.run { try command.output() }
    }

    /// The lines that the script prints, none of them empty; throws where it fails.
    package static func lines(of name: String, _ arguments: [String] = []) async throws -> [Substring] {
        String(decoding: try await output(of: name, arguments), as: UTF8.self).split(separator: "\n")
    }

    /// How the script ends, and everything it says.
    package static func run(_ name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let command = Command(["python3", "-B", path(of: name)] + arguments, errors: .besideOutput)
        let ending = try await BlockingThread.run { try command.run() }
        return (ending.status, ending.text)
    }

    /// What the program `source` prints; it may import the judges of exports.
    package static func evaluate(_ source: String, _ arguments: [String]) async throws -> Data {
        let program = "import sys; sys.path.insert(0, sys.argv.pop(1))\n" + source
        let command = Command(["python3", "-B", "-c", program, path(of: "exports")] + arguments)
        return try await BlockingThread.run { try command.output() }
    }
}
