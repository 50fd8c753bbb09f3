/// Finds names in code for which the list below has another word, and types of two modules with one name. One thing has one name
/// (docs/glossary.md), and one name means one thing.
enum Names {
    /// Parts of identifiers, in lower case, with what to write. Texts, such as columns, routes and scopes, are not identifiers.
    private static let replaced = [
        "ingest": "import", "takein": "import", "colour": "color", "withheld": "omitted", "withhold": "omit",
        "believ": "plausible", "refus": "reject", "heed": "honor", "reckon": "expect", "witness": "oracle",
        "objection": "validation error", "passedover": "skipped",
    ]

    static func violations(in tree: SourceTree) -> [String] {
        tree.files.flatMap(replacedNames) + doubledTypes(in: tree)
    }

    private static func replacedNames(in file: SourceTree.File) -> [String] {
        var isText = false
        let code = zip(file.lines, file.code).filter { line, _ in
            defer { if line.ranges(of: "\"\"\"").count % 2 == 1 { isText.toggle() } }
            return !isText
        }
        let names = Set(
            code.flatMap { _, line in
                line.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "ingest" || !isScope(line) }
            })
        return names.sorted().flatMap { name in
            let plain = name.lowercased()
            return replaced.sorted { $0.key < $1.key }.filter { plain.contains($0.key) }
                .map { "\(file.path): \(name), write \"\($0.value)\"" }
        }
    }

    /// Whether `line` names the scope of a token that the protocol spells `ingest`.
    private static func isScope(_ line: String) -> Bool { line.contains(".ingest") || line.contains("case ingest") }

    private static func doubledTypes(in tree: SourceTree) -> [String] {
        var modules: [Substring: Set<String>] = [:]
        for file in tree.files {
            // What a file keeps private is read in that file only.
            for line in file.code where !line.contains("private ") {
                guard let name = FolderCycles.declaredType(line) else { continue }
                modules[name, default: []].insert(FolderCycles.module(of: file.path))
            }
        }
        return modules.filter { $0.value.count > 1 }
            .map { "\($0.key) is a type of \($0.value.sorted().joined(separator: " and "))" }.sorted()
    }
}
