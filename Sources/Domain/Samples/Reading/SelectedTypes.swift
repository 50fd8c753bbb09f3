/// A selection together with the unselected types that a reading has found so far.
package struct SelectedTypes {
    // A batch numbers types with 16 bits; HealthKit has about two hundred of them.
    private static let limitOfOthers = 4096

    private let selected: [SampleType: SampleTypeDefinition]
    private let includesOthers: Bool
    private static let table = SampleTypeTable.builtIn()
    private var others: [SampleType: SampleTypeDefinition] = [:]
    private var typesByName: [String: SampleType] = [:]

    package init(_ selection: SampleSelection) {
        selected = Dictionary(selection.types.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
        includesOthers = selection.includesOtherTypes
    }

    /// Returns the type called `name`: a HealthKit identifier, or the short name of a known type.
    package mutating func type(named name: String) -> SampleType {
        if let known = typesByName[name] { return known }
        let lowercased = name.lowercased()
        let type =
            selected.keys.filter { $0.rawValue == name || $0.shortName.lowercased() == lowercased }.min()
            ?? Self.table.definition(named: name)?.type ?? SampleType(rawValue: name)
        if typesByName.count < Self.limitOfOthers { typesByName[name] = type }
        return type
    }

    /// Returns the definition by which `type` is delivered, `nil` if it is not selected. An unselected type has the
    /// unit of the built-in table, so that all sources agree; a type that is not in the table has the first unit found.
    /// Throws if there are too many unselected types.
    package mutating func definition(
        of type: SampleType, kind: SampleKind? = nil, unit: String?
    ) throws(TooManyTypes) -> SampleTypeDefinition? {
        if let definition = selected[type] ?? others[type] { return definition }
        guard includesOthers else { return nil }
        guard others.count < Self.limitOfOthers else { throw TooManyTypes() }
        let isCategory = type.rawValue.hasPrefix("HKCategoryTypeIdentifier")
        let definition =
            Self.table[type]
            ?? SampleTypeDefinition(type, kind ?? (isCategory ? .category : .discrete), unit: unit ?? "")
        others[type] = definition
        return definition
    }
}

/// The error for a sample of a type beyond the number of types that a reading may have.
package struct TooManyTypes: Error {
    /// The reason under which the sample is counted.
    package static let reason = "too many different types"
}

/// The types that a source delivers.
public struct SampleSelection: Sendable, Hashable {
    /// The selected types. Their values are delivered in the unit of the definition.
    public var types: [SampleTypeDefinition]
    /// Whether every other quantity and category type is delivered too: in the unit of the built-in table, or, for a
    /// type that is not in the table, in the first unit that the source uses.
    public var includesOtherTypes: Bool

    /// Selects `types`, and all others if `includesOtherTypes`.
    public init(types: [SampleTypeDefinition], includesOtherTypes: Bool = false) {
        self.types = types
        self.includesOtherTypes = includesOtherTypes
    }
}
