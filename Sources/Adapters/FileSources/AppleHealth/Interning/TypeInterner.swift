import HealthSyncDomain
import HealthSyncPorts

/// Turns the raw bytes of a `type` attribute into what is known of the type in this reading.
struct TypeInterner {
    /// What decoding a record needs to know of its type, without counted references.
    struct State {
        /// Whether its samples are delivered.
        var isSelected: Bool
        /// Whether it is a state and not a quantity.
        var isCategory: Bool
        /// Whether its samples sum.
        var isCumulative: Bool
        /// Index in the tables of the batches, -1 while the type was not delivered yet.
        var tableIndex: Int32 = -1
        /// Number of the unit met last.
        var lastUnit: Int32 = .min
        /// How values in that unit become canonical; `nil` when they cannot.
        var conversion: UnitConversion?
    }

    /// What the name of a state means for a type.
    private struct NamedState {
        var type = -1
        var name: Int32 = -1
        /// `nil` when the type has no state of that name.
        var state: Int?
    }

    private let selection: [SampleType: SampleTypeDefinition]
    private let includesOtherTypes: Bool
    private let known: SampleTypeTable
    private var interner = TextInterner()
    private var stateNames = TextInterner()
    /// By number of the type's text.
    private(set) var states: [State] = []
    /// By number of the type's text; `nil` where the unit is still to be met.
    private var definitions: [SampleTypeDefinition?] = []
    /// What was looked up before; states take turns from record to record. Each has one place, and the last one stays.
    private var namedStates = [NamedState](repeating: NamedState(), count: 64)

    /// Types as `selection` asks for them; other types have the unit that `known` states, or the one first met.
    init(_ selection: SampleSelection, known: SampleTypeTable) {
        self.selection = Dictionary(selection.types.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        includesOtherTypes = selection.includesOtherTypes
        self.known = known
    }

    /// The number of the type named in `range`.
    @inline(__always)
    mutating func intern(_ window: ByteWindow, _ range: ByteRange) -> InternedText {
        let text = interner.intern(window, range)
        while states.count < interner.count { add(SampleType(rawValue: interner.strings[states.count])) }
        return text
    }

    /// The name of type `id`.
    func name(_ id: Int) -> String { interner.strings[id] }

    /// How values of type `id` in the unit named `unit`, or in none, become canonical; `nil` when they cannot. The unit
    /// met first is the canonical one of a type that nobody knows; plain counts may do without one.
    mutating func newConversion(_ id: Int, unitID: Int32, unit: String?) -> UnitConversion? {
        if definitions[id] == nil {
            definitions[id] = SampleTypeDefinition(
                SampleType(rawValue: interner.strings[id]), .discrete, unit: unit ?? "")
        }
        let definition = definitions[id]
        let conversion =
            if let unit {
                definition?.conversion(from: unit)
            } else {
                definition?.unit == "count" || definition?.unit == "" ? UnitConversion(factor: 1) : nil
            }
        states[id].lastUnit = unitID
        states[id].conversion = conversion
        return conversion
    }

    /// The number of the state that the bytes of `range` name for type `id`; `nil` when there is none of that name.
    mutating func state(_ id: Int, _ window: ByteWindow, _ range: ByteRange) -> Int? {
        let name = stateNames.intern(window, range).id
        guard name >= 0 else { return nil }
        let place = (id &* 8 &+ Int(name)) & (namedStates.count - 1)
        let known = namedStates[place]
        if known.type == id, known.name == name { return known.state }
        let text = stateNames.strings[Int(name)]
        let state = definitions[id]?.categoryValues[text] ?? (text == "HKCategoryValueNotApplicable" ? 0 : nil)
        namedStates[place] = NamedState(type: id, name: name, state: state)
        return state
    }

    /// Whether a record of type `id` may leave its value out: only where there is but one state.
    func mayLackValue(_ id: Int) -> Bool { definitions[id]?.categoryValues.isEmpty ?? true }

    /// The index of type `id` in `tables`, where it is added when it is delivered first; `nil` when there is no room.
    @inline(__always)
    mutating func tableIndex(_ id: Int, in tables: inout SampleBatch.Tables) -> UInt16? {
        let index = states[id].tableIndex
        return index >= 0 ? UInt16(truncatingIfNeeded: index) : addToTables(id, &tables)
    }

    private mutating func addToTables(_ id: Int, _ tables: inout SampleBatch.Tables) -> UInt16? {
        guard tables.types.count <= Int(UInt16.max), let definition = definitions[id] else { return nil }
        states[id].tableIndex = Int32(tables.types.count)
        tables.types.append(definition)
        return UInt16(tables.types.count - 1)
    }

    private mutating func add(_ type: SampleType) {
        let isQuantity = type.rawValue.hasPrefix("HKQuantityTypeIdentifier")
        let isCategory = type.rawValue.hasPrefix("HKCategoryTypeIdentifier")
        let definition = selection[type] ?? (includesOtherTypes ? known[type] : nil)
        let isOther = definition == nil && includesOtherTypes && (isQuantity || isCategory)
        let kind = definition?.kind ?? (isCategory ? .category : .discrete)
        states.append(
            State(
                isSelected: definition != nil || isOther, isCategory: kind == .category,
                isCumulative: kind == .cumulative))
        definitions.append(
            definition ?? (isOther && isCategory ? SampleTypeDefinition(type, .category, unit: "") : nil))
    }
}
