import HealthSyncDomain

/// Types of which samples are kept, by the names that people give them.
enum StoredTypes {
    /// The types called `names`, by short name or HealthKit identifier, each once.
    ///
    /// - Throws: `.usage` for a name of which nothing is kept, with the nearest of which something is.
    static func named(
        _ names: [String], among stored: [SampleTypeDefinition]
    ) throws(SyncFailure) -> [SampleTypeDefinition] {
        let table = SampleTypeTable(stored)
        var types: [SampleTypeDefinition] = []
        for name in names {
            guard let definition = table.definition(named: name) else {
                let kept = table.rows.map(\.type.shortName)
                let meant = Suggestion.nearest(to: name, among: kept)
                let others =
                    kept.isEmpty ? "read a source first, with historical" : "kept are \(kept.joined(separator: ", "))"
                throw .usage(
                    name, "no samples of that type are kept", advice: meant.map { "did you mean \($0)?" } ?? others)
            }
            if !types.contains(definition) { types.append(definition) }
        }
        return types
    }
}
