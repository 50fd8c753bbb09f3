/// The known types with unit and kind. A plug-in adds the types that its handlers read. Other types are stored in the
/// unit in which they are first found.
public struct SampleTypeTable: Sendable {
    private let definitions: [SampleType: SampleTypeDefinition]
    private let ordered: [SampleTypeDefinition]

    /// Creates a table. Later rows replace earlier ones of the same type.
    public init(_ rows: [SampleTypeDefinition]) {
        definitions = Dictionary(rows.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
        ordered = definitions.values.sorted { $0.type < $1.type }
    }

    /// Returns the built-in table, with `rows` added or replaced.
    public static func builtIn(adding rows: [SampleTypeDefinition] = []) -> SampleTypeTable {
        SampleTypeTable(builtInRows + rows)
    }

    /// Returns the row of `type`.
    public subscript(_ type: SampleType) -> SampleTypeDefinition? { definitions[type] }

    /// Returns the row whose short name is `name`, such as `stepCount`, ignoring case.
    public func definition(named name: String) -> SampleTypeDefinition? {
        definitions.values.first { $0.type.shortName.lowercased() == name.lowercased() || $0.type.rawValue == name }
    }

    /// All rows, ordered by identifier.
    public var rows: [SampleTypeDefinition] { ordered }
}
