import Foundation
import HealthSyncTestTools

/// Finds phrases that read like a word-for-word translation, and words that docs/glossary.md replaces. Each was once
/// common here.
enum Phrases {
    struct Phrase {
        let pattern: String
        let instead: String

        init(_ pattern: String, _ instead: String) {
            self.pattern = pattern
            self.instead = instead
        }
    }

    static let all = [
        Phrase(#"\bheed(s|ed|ing)?\b"#, "honor"),
        Phrase(#"\banew\b"#, "again"),
        Phrase(#"\b[Ww]hoever\b"#, "name the subject"),
        Phrase(#"\b(is|are|was|were) none\b"#, "does not exist"),
        Phrase(#"\b(is|are|was|were) no more\b(?! than)"#, "deleted, gone"),
        Phrase(#"\bworthless\b"#, "revoked"),
        Phrase(#"\breckon(s|ed|ing)?\b"#, "expect"),
        Phrase(#"\b(is|are|was|were|be|been) told\b"#, "receives, is given"),
        Phrase(#"\bstand(s|ing)? (in|at|behind|beside|for|there|over|under|by)\b"#, "is in, follows, represents"),
        Phrase(#"\bstood (in|at|behind|beside|for|there)\b"#, "was in"),
        Phrase(#"\bt(ake|akes|aken|aking|ook) in\b"#, "import"),
        Phrase(#"\b[Oo]bjections?\b"#, "validation error"),
        Phrase(#"\bbur(y|ies|ied)\b"#, "delete, tombstone"),
        Phrase(#"\bpass(ed|es|ing) over\b"#, "skip"),
        Phrase(#"\b(un)?believable\b"#, "plausible"),
        Phrase(#"\bcounted anew\b"#, "recomputed"),
        Phrase(#"\bperson who\b"#, "user"),
        Phrase(#"\bthe person's\b"#, "the user's"),
        Phrase(#"\bsomebody\b"#, "name the subject"),
        Phrase(#"\b(he|she) (is|was|has|had|will|can|may|must|wants|reads)\b|\bhim\b"#, "the user, you"),
        Phrase(#"\b(one's|his) own\b"#, "the user's own"),
        Phrase(#"\bat home\b"#, "in the local store, locally"),
        Phrase(#"\bleft behind\b"#, "remaining, tombstone"),
        Phrase(#"\bof which\b.*\bof which\b"#, "two sentences"),
        Phrase(#"\bof old\b"#, "former, existing"),
        Phrase(#"\bthe like of\b"#, "such as"),
        Phrase(#"\bthereof\b"#, "of it"),
        Phrase(#"\bhold deliveries\b"#, "pause delivery"),
        Phrase(#"\b(it|that) is what (it|that) is\b"#, "say what it is"),
        Phrase(#"\bnot good\b"#, "invalid"),
        Phrase(#"\bQuestions\b"#, "Queries"),
    ]

    /// Lines with exactly one violation each.
    static let planted = ["/// Whoever reads this.", "\"this token is not good\"", "The page stands in the table."]

    /// Returns `path:line: "phrase", write …` for each use in `files`, which are pairs of a path and its text.
    static func violations(in files: [(path: String, text: String)]) throws -> [String] {
        let patterns = try all.map { (try NSRegularExpression(pattern: $0.pattern), $0) }
        return files.flatMap { path, text in
            patterns.flatMap { expression, phrase in
                expression.places(in: text).map { "\(path):\($0): \"\($1)\", write \"\(phrase.instead)\"" }
            }
        }
    }

    /// Returns every file that people read, except this list and that of names.
    static func readableFiles() throws -> [(path: String, text: String)] {
        let root = ProjectFile.url("")
        let folders = ["Sources", "Tests", "Examples", "docs", ".ci"]
        let paths = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: ProjectFile.url(folder).path).map { "\(folder)/\($0)" }
        }
        let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "Package.swift"]
        let kinds = ["swift", "md", "py", "sql", "h", "js", "css", "html", "json"]
        return try (top + paths).filter { path in
            let name = path.split(separator: "/").last ?? ""
            let isRead = top.contains(path) || kinds.contains { name.hasSuffix(".\($0)") } || path.hasPrefix(".ci/")
            return isRead && !path.contains("/.build/") && !["Phrases.swift", "Names.swift"].contains(name)
        }.sorted().map { ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)) }
    }
}

extension NSRegularExpression {
    /// Returns what matches in `text`, with the numbers of the lines. One search of a whole file is faster than one for
    /// each of its lines.
    func places(in text: String) -> [(line: Int, found: Substring)] {
        matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            guard let range = Range(match.range, in: text) else { return nil }
            return (text.utf8[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1, text[range])
        }
    }
}
