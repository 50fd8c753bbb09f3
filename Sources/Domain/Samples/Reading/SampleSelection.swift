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
