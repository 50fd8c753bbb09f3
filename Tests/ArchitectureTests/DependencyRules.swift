/// The modules that each folder may import, as in the table of docs/architecture.md.
enum DependencyRules {
    struct Module {
        let folder: String
        let mayImport: Set<String>
    }

    private static let inside: Set<String> = ["HealthSyncDomain", "HealthSyncPorts"]
    /// The adapter that others may import.
    private static let support = "Support"

    /// Returns the folders below `Sources`, the most specific first, because the first match applies.
    static func modules(adapters: [String]) -> [Module] {
        adapters.map { name in
            let ours: Set<String> = name == support ? [] : inside.union(["HealthSync\(support)"])
            return Module(folder: "Adapters/\(name)", mayImport: ours.union(libraries[name] ?? []))
        } + [
            Module(folder: "Domain", mayImport: []),
            Module(folder: "Ports", mayImport: ["HealthSyncDomain"]),
            Module(folder: "App/Engine", mayImport: inside),
            Module(folder: "App/Commands", mayImport: inside.union(["HealthSyncEngine"])),
            Module(folder: "App/healthsync", mayImport: ["HealthSyncApp"]),
        ]
    }

    /// The modules that also build for Apple platforms, which no machine here does.
    private static let core: Set<String> = ["Domain", "Ports", "App/Engine"]
    private static let systemModulesOfCore: Set<String> = ["Foundation", "Dispatch", "Synchronization"]

    /// The C libraries of each adapter. No other folder may import them.
    static let libraries: [String: Set<String>] = [
        "FileSources": ["CHealthSyncZip", "CHealthSyncISAL"],
        "SQLite": ["CHealthSyncMalloc", "CHealthSyncSQLite"],
        "OutboxHTTP": ["CHealthSyncCurl"],
        "SyntheticExport": ["CHealthSyncZip"],
        "System": ["CHealthSyncCrypto", "CHealthSyncMalloc", "CHealthSyncQREncode"],
        "Postgres": ["CHealthSyncPQ"],
        "Receiver": ["CHealthSyncSockets", "CHealthSyncJSON"],
        "Support": ["CHealthSyncISAL"],
    ]

    /// Returns `path: imports Module` for each forbidden import.
    static func violations(in tree: SourceTree) -> [String] {
        let adapters = Set(
            tree.files.compactMap { file -> String? in
                let parts = file.path.split(separator: "/")
                return parts.count > 2 && parts[0] == "Adapters" ? String(parts[1]) : nil
            })
        let modules = modules(adapters: adapters.sorted())
        return tree.files.flatMap { file in
            guard let module = modules.first(where: { file.path.hasPrefix($0.folder + "/") }) else { return [String]() }
            let isCore = core.contains(module.folder)
            return imports(of: file)
                .filter { isOurs($0) ? !module.mayImport.contains($0) : isCore && !systemModulesOfCore.contains($0) }
                .map { "\(file.path): imports \($0)" }
        }
    }

    private static func isOurs(_ module: String) -> Bool {
        module.hasPrefix("HealthSync") || module.hasPrefix("CHealthSync")
    }

    private static func imports(of file: SourceTree.File) -> [String] {
        file.code.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let place = words.firstIndex(of: "import"), words.count > place + 1, place <= 2 else { return nil }
            let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
            let name = kinds.contains(words[place + 1]) ? words.dropFirst(place + 2).first : words[place + 1]
            return name?.split(separator: ".").first.map(String.init)
        }
    }
}
