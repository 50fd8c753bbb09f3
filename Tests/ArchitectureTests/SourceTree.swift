import Foundation

/// The Swift files below a folder, as text.
struct SourceTree {
    struct File {
        /// Path below the root, with slashes: `Adapters/SQLite/RunLog.swift`.
        let path: String
        let lines: [String]

        /// Lines without comments and without what stands in string literals.
        var code: [String] { lines.map(Self.withoutCommentsAndStrings) }

        private static func withoutCommentsAndStrings(_ line: String) -> String {
            var result = ""
            var isInString = false
            var previous: Character = " "
            for character in line {
                if character == "\"" && previous != "\\" { isInString.toggle() }
                if !isInString && character == "/" && previous == "/" { return String(result.dropLast()) }
                if !isInString { result.append(character) }
                previous = character
            }
            return result
        }
    }

    struct NothingToCheck: Error {}

    let files: [File]

    /// Refuses a folder without Swift files: a check of nothing would always be green.
    init(root: URL) throws {
        guard let paths = FileManager.default.enumerator(atPath: root.path) else { throw NothingToCheck() }
        var files: [File] = []
        for case let path as String in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            files.append(File(path: path, lines: text.components(separatedBy: "\n")))
        }
        guard !files.isEmpty else { throw NothingToCheck() }
        self.files = files.sorted { $0.path < $1.path }
    }
}
