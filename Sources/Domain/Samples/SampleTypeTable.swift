/// The types that are understood from the start, with unit and kind. A plug-in extends the table by what its handlers
/// read; other types are kept in the unit first met.
public struct SampleTypeTable: Sendable {
    private let definitions: [SampleType: SampleTypeDefinition]

    /// A table of these rows; later rows replace earlier ones of the same type.
    public init(_ rows: [SampleTypeDefinition]) {
        definitions = Dictionary(rows.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
    }

    /// The built-in rows and `rows` over them.
    public static func builtIn(adding rows: [SampleTypeDefinition] = []) -> SampleTypeTable {
        SampleTypeTable(builtInRows + rows)
    }

    /// The row of `type`.
    public subscript(_ type: SampleType) -> SampleTypeDefinition? { definitions[type] }

    /// The row whose short name is `name`, such as `stepCount`; upper and lower case are the same.
    public func definition(named name: String) -> SampleTypeDefinition? {
        definitions.values.first { $0.type.shortName.lowercased() == name.lowercased() || $0.type.rawValue == name }
    }

    /// All rows by identifier.
    public var rows: [SampleTypeDefinition] { definitions.values.sorted { $0.type < $1.type } }
}
