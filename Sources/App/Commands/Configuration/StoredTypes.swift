import HealthSyncDomain

/// Looks up stored sample types by name.
enum StoredTypes {
    /// Returns the types with these names (short name or HealthKit identifier), each once.
    ///
    /// - Throws: `.usage` for a type without stored samples, with the most similar name of a type that has some.
    static func named(
        _ names: [String], among stored: [SampleTypeDefinition]
    ) throws(SyncFailure) -> [SampleTypeDefinition] {
        let table = SampleTypeTable(stored)
        var types: [SampleTypeDefinition] = []
        for name in names {
            guard let definition = table.definition(named: name) else {
                let names = table.rows.map(\.type.shortName)
                let suggestion =
                    names.first { MetricSynonyms.metrics(for: name).contains($0) }
                    ?? names.first { MetricSynonyms.metrics(for: $0).contains(name) }
                    ?? Suggestion.nearest(to: name, among: names)
                let others =
                    names.isEmpty
                    ? "run `healthsync import FILE` first"
                    : "stored types are \(names.joined(separator: ", "))"
                throw .usage(
                    name, "no samples of this type are stored",
                    advice: suggestion.map { "did you mean \($0)?" } ?? others)
            }
            if !types.contains(definition) { types.append(definition) }
        }
        return types
    }
}
