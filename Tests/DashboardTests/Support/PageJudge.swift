import Foundation

/// What `check_pages.py`, an HTML parser that is not ours, says of pages.
enum PageJudge {
    struct Verdict: Decodable {
        let problems: [String]
        /// Exact values of the figures, in their order.
        let data: [String]
        /// All text, with single spaces.
        let text: String
        let links: [String]
    }

    struct Failed: Error { let output: String }

    /// Verdicts by page name.
    static func verdicts(_ pages: [String: String]) async throws -> [String: Verdict] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, html) in pages {
            try html.write(to: folder.appendingPathComponent("\(name).html"), atomically: true, encoding: .utf8)
        }
        let output = try await run(folder.path)
        let verdicts = try JSONDecoder().decode([String: Verdict].self, from: output)
        return Dictionary(uniqueKeysWithValues: verdicts.map { (String($0.key.dropLast(5)), $0.value) })
    }

    private static func run(_ folder: String) async throws -> Data {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = tests.appendingPathComponent("Support/Peers/display/check_pages.py").path
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try launch(["python3", "-B", script, folder]) })
            }
        }
    }

    private static func launch(_ command: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(output: String(decoding: data, as: UTF8.self)) }
        return data
    }
}
