/// Finds folders of a module that depend on each other in a cycle, so that none of them can be read alone.
///
/// A unit is a folder directly below a module, with all its subfolders; the files directly in the module's folder are
/// one more unit, `.`. A unit depends on another if its code names a type that the other declares at the top level.
/// Members that an extension adds are not followed.
enum FolderCycles {
    /// Returns `module: A → B (File.swift names Type), B → A (…)` for each group of units that depend on each other.
    static func violations(in tree: SourceTree) -> [String] {
        Dictionary(grouping: tree.files) { module(of: $0.path) }
            .sorted { $0.key < $1.key }
            .flatMap { module, files in
                groups(Graph(files.map { (unit(of: $0.path, in: module), $0) })).map { "\(module): \($0)" }
            }
    }

    /// Returns the module of a path, such as `Domain`, `Ports`, `Adapters/SQLite` or `App/Engine`.
    static func module(of path: String) -> String {
        let parts = path.split(separator: "/")
        return parts.prefix(["Adapters", "App"].contains(parts[0]) ? 2 : 1).joined(separator: "/")
    }

    private static func unit(of path: String, in module: String) -> String {
        let rest = path.dropFirst(module.count + 1).split(separator: "/")
        return rest.count > 1 ? String(rest[0]) : "."
    }

    private struct Graph {
        /// Returns for each unit the units that it depends on, with the first occurrence.
        var edges: [String: [String: String]] = [:]

        init(_ files: [(unit: String, file: SourceTree.File)]) {
            var units: [Substring: Set<String>] = [:]
            for (unit, file) in files {
                for name in file.code.compactMap(FolderCycles.declaredType) { units[name, default: []].insert(unit) }
            }
            for (unit, file) in files {
                for word in file.code.lazy.flatMap(FolderCycles.words) {
                    // A name that several units declare does not identify one of them.
                    guard let owners = units[word], owners.count == 1, let owner = owners.first, owner != unit,
                        edges[unit]?[owner] == nil
                    else { continue }
                    let name = file.path.split(separator: "/").last ?? ""
                    edges[unit, default: [:]][owner] = "\(name) names \(word)"
                }
            }
        }

        func reached(from unit: String) -> Set<String> {
            var found: Set<String> = []
            var open = [unit]
            while let next = open.popLast() {
                for other in edges[next, default: [:]].keys where found.insert(other).inserted { open.append(other) }
            }
            return found
        }
    }

    private static func groups(_ graph: Graph) -> [String] {
        let reached = Dictionary(uniqueKeysWithValues: graph.edges.keys.map { ($0, graph.reached(from: $0)) })
        let cyclic = reached.filter { $0.value.contains($0.key) }.keys.sorted()
        var groups: [[String]] = []
        for unit in cyclic where !groups.joined().contains(unit) {
            groups.append(
                cyclic.filter { reached[unit, default: []].contains($0) && reached[$0, default: []].contains(unit) })
        }
        return groups.map { group in
            group.flatMap { unit in
                graph.edges[unit, default: [:]].filter { group.contains($0.key) }.sorted { $0.key < $1.key }
                    .map { "\(unit) → \($0.key) (\($0.value))" }
            }.joined(separator: ", ")
        }
    }

    private static func words(_ line: String) -> [Substring] {
        line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.filter { $0.first?.isUppercase == true }
    }

    /// Returns the name of the type that a line declares at the top level.
    static func declaredType(_ line: String) -> Substring? {
        guard line.first?.isWhitespace == false else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
        let kinds: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        guard let place = words.firstIndex(where: kinds.contains), place <= 4, words.count > place + 1,
            words[..<place].allSatisfy({ $0.first == "@" || modifiers.contains($0) })
        else { return nil }
        return words[place + 1]
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated",
    ]
}
