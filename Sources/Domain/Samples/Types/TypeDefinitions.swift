/// The type definitions of a program: the built-in table and the types that its handlers read, with one definition
/// for each type.
///
/// A value is converted once, at import, into the unit of its type. Definitions of a type that disagree about unit,
/// kind or averaging would give wrong figures and are therefore an error.
public struct TypeDefinitions: Sendable {
    /// An author of definitions. The error message for a conflict names both authors.
    public struct Author: Sendable {
        /// `the handler "bloodPressure"`.
        public let name: String
        /// The definitions.
        public let definitions: [SampleTypeDefinition]

        /// Creates an author of `definitions`.
        public init(name: String, definitions: [SampleTypeDefinition]) {
            self.name = name
            self.definitions = definitions
        }
    }

    /// The table with one definition for each type.
    public let table: SampleTypeTable

    /// Merges the built-in table with the definitions of `authors`. Definitions of the same type that agree are
    /// merged: each adds the units and states that the others lack.
    ///
    /// - Throws: `.configuration` for conflicting definitions of a type, naming both.
    public init(
        _ authors: [Author], builtIn: [SampleTypeDefinition] = SampleTypeTable.builtIn().rows
    ) throws(SyncFailure) {
        var known = Dictionary(builtIn.map { ($0.type, (definition: $0, author: "the built-in table")) }) { $1 }
        for author in authors {
            for definition in author.definitions {
                guard let earlier = known[definition.type] else {
                    known[definition.type] = (definition, author.name)
                    continue
                }
                guard let joined = earlier.definition.joined(with: definition) else {
                    throw Self.conflict(earlier.definition, by: earlier.author, definition, by: author.name)
                }
                known[definition.type] = (joined, earlier.author)
            }
        }
        table = SampleTypeTable(known.values.map(\.definition))
    }

    private static func conflict(
        _ earlier: SampleTypeDefinition, by earlierAuthor: String, _ later: SampleTypeDefinition, by laterAuthor: String
    ) -> SyncFailure {
        SyncFailure(
            .configuration, subject: later.type.rawValue,
            reason: "\(laterAuthor) defines it as \(later.summary), \(earlierAuthor) as \(earlier.summary)",
            advice: "use the same definition in both")
    }
}

extension SampleTypeDefinition {
    /// Kind, averaging, unit and conversions: `discrete, temporallyWeighted, in "count/min"`.
    package var summary: String {
        let words = [kind.rawValue] + (kind == .discrete ? [averaging.rawValue] : []) + ["in \"\(unit)\""]
        let conversions = factors.sorted { $0.key < $1.key }.map { "\"\($0.key)\" × \(CanonicalNumber.text($0.value))" }
        return (words + conversions).joined(separator: ", ")
    }

    /// Returns this definition with the units and states that only `other` has; `nil` if they disagree.
    fileprivate func joined(with other: SampleTypeDefinition) -> SampleTypeDefinition? {
        guard kind == other.kind, unit == other.unit, kind != .discrete || averaging == other.averaging,
            factors.agrees(with: other.factors), offsets.agrees(with: other.offsets),
            categoryValues.allSatisfy({ other.categoryValues[$0.key] ?? $0.value == $0.value })
        else { return nil }
        let keepOwn = { (own: Double, _: Double) in own }
        return SampleTypeDefinition(
            type, kind, averaging: averaging, counting: counting, unit: unit,
            plausibleValues: plausibleValues ?? other.plausibleValues,
            factors: factors.merging(other.factors, uniquingKeysWith: keepOwn),
            offsets: offsets.merging(other.offsets, uniquingKeysWith: keepOwn),
            categoryValues: categoryValues.merging(other.categoryValues) { own, _ in own })
    }
}

extension [String: Double] {
    /// Returns whether both have the same values for the units that both contain, within rounding.
    fileprivate func agrees(with other: Self) -> Bool {
        allSatisfy { unit, value in
            guard let stated = other[unit] else { return true }
            return abs(stated - value) <= 1e-6 * Swift.max(abs(stated), abs(value))
        }
    }
}
