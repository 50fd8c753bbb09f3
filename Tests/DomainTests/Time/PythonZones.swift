import Foundation

/// Asks Python's zoneinfo, which reads the system's time zone database.
enum PythonZones {
    struct Failed: Error { let output: String }

    struct Transition {
        let instant: Int64
        let offset: Int64
    }

    /// The offset on 1970-01-01 and its changes until the end of 2037, for every zone of the database.
    static func transitions() async throws -> [String: [Transition]] {
        var result: [String: [Transition]] = [:]
        for line in try await run("zones/list_zone_transitions.py", []).split(separator: "\n") {
            let words = line.split(separator: " ")
            result[String(words[0])] = words.dropFirst().compactMap { word in
                let pair = word.split(separator: ":").compactMap { Int64($0) }
                return pair.count == 2 ? Transition(instant: pair[0], offset: pair[1]) : nil
            }
        }
        return result
    }

    /// What the script of `Tests/Support/Peers` prints.
    static func run(_ script: String, _ arguments: [String]) async throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appendingPathComponent("Support/Peers/\(script)").path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try launch(["python3", "-B", file] + arguments) })
            }
        }
    }

    private static func launch(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0 else { throw Failed(output: text) }
        return text
    }
}
