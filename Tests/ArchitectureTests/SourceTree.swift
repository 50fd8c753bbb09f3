import Foundation

/// The Swift files below a folder, as text.
struct SourceTree {
    struct File {
        /// Path below the root, with slashes: `Adapters/SQLite/RunLog.swift`.
        let path: String
        let lines: [String]

        /// The lines without comments and without the contents of string literals.
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

    /// Throws `NothingToCheck` for a folder without Swift files, because a check of nothing would always pass.
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
