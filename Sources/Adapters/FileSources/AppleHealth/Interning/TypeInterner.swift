import HealthSyncDomain
import HealthSyncPorts

/// Maps the raw bytes of a `type` attribute to the state of the type in this reading.
struct TypeInterner {
    /// The state of a type that decoding needs, without reference-counted members.
    struct State {
        /// Whether its samples are delivered.
        var isSelected: Bool
        /// Whether all types are selected and this one is neither a quantity nor a category, so that it is not read.
        var isUnread: Bool
        /// Whether it is a category and not a quantity.
        var isCategory: Bool
        /// Whether its samples are summed.
        var isCumulative: Bool
        /// The index in the batches' tables, -1 until the type is first delivered.
        var tableIndex: Int32 = -1
        /// The number of the last unit.
        var lastUnit: Int32 = .min
        /// The conversion of values in that unit to the canonical unit; `nil` if none exists.
        var conversion: UnitConversion?
        /// The number of the notation of values in that unit, in the batches' tables.
        var notation: UInt16 = 0
    }

    /// The cached meaning of a state's name for a type.
    private struct NamedState {
        var type = -1
        var name: Int32 = -1
        /// `nil` if the type has no state with that name.
        var state: Int?
    }

    /// How HealthKit's names of states begin.
    private static let statePrefix = "HKCategoryValue"

    private let selection: [SampleType: SampleTypeDefinition]
    private let includesOtherTypes: Bool
    private let known: SampleTypeTable
    private var interner = TextInterner()
    private var stateNames = TextInterner()
    /// The states, by number of the type's text.
    private(set) var states: [State] = []
    /// The definitions, by number of the type's text; `nil` until the unit is known.
    private var definitions: [SampleTypeDefinition?] = []
    /// A direct-mapped cache of looked-up state names, because records alternate between states.
    private var namedStates = [NamedState](repeating: NamedState(), count: 64)

    /// Creates an interner for `selection`; other types have the unit of `known`, or the first unit in the file.
    init(_ selection: SampleSelection, known: SampleTypeTable) {
        self.selection = Dictionary(selection.types.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        includesOtherTypes = selection.includesOtherTypes
        self.known = known
    }

    /// Returns the number of the type named in `range`.
    @inline(__always)
    mutating func intern(_ window: ByteWindow, _ range: ByteRange) -> InternedText {
        let text = interner.intern(window, range)
        while states.count < interner.count { add(SampleType(rawValue: interner.strings[states.count])) }
        return text
    }

    /// Returns the name of type `id`.
    func name(_ id: Int) -> String { interner.strings[id] }

    /// Returns the conversion of values of type `id` from the unit named `unit`, or without a unit, to the canonical
    /// unit; `nil` if none exists. For an unknown type the first unit is the canonical one; plain counts need no
    /// unit.
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

    /// Sets the number of the notation of the last unit of type `id`.
    mutating func setNotation(_ number: UInt16, of id: Int) { states[id].notation = number }

    /// Returns the canonical unit of type `id`.
    func unit(_ id: Int) -> String { definitions[id]?.unit ?? "" }

    /// Returns the number of the state named in `range` for type `id`; `nil` if there is no such state.
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

    /// Returns the name of a state in `range`; `nil` for another text, which may contain anything.
    mutating func stateName(_ window: ByteWindow, _ range: ByteRange) -> String? {
        let name = stateNames.intern(window, range).id
        guard name >= 0, stateNames.strings[Int(name)].hasBytePrefix(Self.statePrefix) else { return nil }
        return stateNames.strings[Int(name)]
    }

    /// Returns whether a record of type `id` may omit its value, which is then the state 0: a type with a single state, and
    /// sleep, for which the oldest exports write no value when someone was in bed.
    func mayLackValue(_ id: Int) -> Bool {
        guard let definition = definitions[id] else { return true }
        return definition.categoryValues.isEmpty || definition.type == SampleTypeDefinition.sleepAnalysis.type
    }

    /// Returns the index of type `id` in `tables`, adding it on first delivery; `nil` if the table is full.
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
                isSelected: definition != nil || isOther,
                isUnread: includesOtherTypes && definition == nil && !isOther, isCategory: kind == .category,
                isCumulative: kind == .cumulative))
        definitions.append(
            definition ?? (isOther && isCategory ? SampleTypeDefinition(type, .category, unit: "") : nil))
    }
}
