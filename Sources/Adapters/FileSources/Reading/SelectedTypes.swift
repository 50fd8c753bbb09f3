import HealthSyncDomain
import HealthSyncPorts

/// What a reading was asked for, and the types beyond that it met.
struct SelectedTypes {
    // A batch numbers types with 16 bits; HealthKit has some two hundred of them.
    private static let limitOfOthers = 4096

    private let asked: [SampleType: SampleTypeDefinition]
    private let includesOthers: Bool
    private static let table = SampleTypeTable.builtIn()
    private var others: [SampleType: SampleTypeDefinition] = [:]
    private var namesMet: [String: SampleType] = [:]

    init(_ selection: SampleSelection) {
        asked = Dictionary(selection.types.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
        includesOthers = selection.includesOtherTypes
    }

    /// The type that `name` stands for: HealthKit's identifier, or the short name of a type that is known.
    mutating func type(named name: String) -> SampleType {
        if let met = namesMet[name] { return met }
        let lowercased = name.lowercased()
        let type =
            asked.keys.filter { $0.rawValue == name || $0.shortName.lowercased() == lowercased }.min()
            ?? Self.table.definition(named: name)?.type ?? SampleType(rawValue: name)
        if namesMet.count < Self.limitOfOthers { namesMet[name] = type }
        return type
    }

    /// How `type` is delivered; `nil` when it was not asked for. A type beyond the selection has the unit that is known of
    /// it, as in every other source; one of which nothing is known, the unit in which it is first met.
    mutating func definition(of type: SampleType, kind: SampleKind? = nil, unit: String?) -> SampleTypeDefinition? {
        if let definition = asked[type] ?? others[type] { return definition }
        guard includesOthers, others.count < Self.limitOfOthers else { return nil }
        let isCategory = type.rawValue.hasPrefix("HKCategoryTypeIdentifier")
        let definition =
            Self.table[type]
            ?? SampleTypeDefinition(type, kind ?? (isCategory ? .category : .discrete), unit: unit ?? "")
        others[type] = definition
        return definition
    }
}
