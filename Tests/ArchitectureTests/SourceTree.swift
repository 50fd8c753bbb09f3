import Foundation

/// The Swift files below a folder, as text.
struct SourceTree {
    struct File {
        /// The path below the root, such as `Adapters/SQLite/RunLog.swift`.
        let path: String
        let lines: [String]
        /// The lines without comments and without the contents of string literals.
        let code: [String]

        init(path: String, lines: [String]) {
            self.path = path
            self.lines = lines
            code = lines.map(Self.withoutCommentsAndStrings)
        }

        /// The type at the top level, or that an extension there extends, in which each line stands; empty outside of one.
        var enclosingTypes: [Substring] {
            var current: Substring = ""
            return code.map { line in
                if let declared = FolderCycles.declaredType(line) ?? Self.extendedType(line) { current = declared }
                defer { if line == "}" { current = "" } }
                return current
            }
        }

        private static func extendedType(_ line: String) -> Substring? {
            guard let word = line.range(of: "extension "), line.first?.isWhitespace == false else { return nil }
            return line[word.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        }

        private static func withoutCommentsAndStrings(_ line: String) -> String {
            // Most lines contain neither a comment nor a literal.
            guard line.utf8.contains(where: "/\"#".utf8.contains) else { return line }
            var result = ""
            var rest = Substring(line)
            while let next = rest.first {
                if rest.hasPrefix("//") { return result }
                guard next == "\"" || next == "#" else {
                    result.append(rest.removeFirst())
                    continue
                }
                let hashes = rest.prefix { $0 == "#" }
                rest.removeFirst(hashes.count)
                guard rest.first == "\"" else { continue }
                rest.removeFirst()
                while let character = rest.first, !rest.hasPrefix("\"" + hashes) {
                    rest.removeFirst(character == "\\" && hashes.isEmpty ? min(2, rest.count) : 1)
                }
                rest.removeFirst(min(hashes.count + 1, rest.count))
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
