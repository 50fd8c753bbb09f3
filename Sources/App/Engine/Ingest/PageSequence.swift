import HealthSyncDomain

/// The pages that the fragments of several readings make together, in the order in which a store writes them fastest:
/// by type, origin and day.
struct PageSequence {
    private let readings: [AssembledSamples]
    private let types: [SampleTypeDefinition]
    private let origins: [SampleOrigin]
    private var entries: [Entry] = []

    private struct Entry {
        /// Type, origin and day as places in sorted tables, packed to be compared at once.
        let order: UInt64
        let reading: Int32
        let fragment: Int32
    }

    init(_ readings: [AssembledSamples]) {
        self.readings = readings
        let definitions = Dictionary(
            readings.flatMap(\.tables.types).map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        types = definitions.values.sorted { $0.type < $1.type }
        origins = Set(readings.flatMap(\.tables.origins)).sorted { $0.canonicalText < $1.canonicalText }
        let typePlaces = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1.type, UInt64($0)) })
        let originPlaces = Dictionary(uniqueKeysWithValues: origins.enumerated().map { ($1, UInt64($0)) })
        for (readingIndex, reading) in readings.enumerated() {
            let typeOrder = reading.tables.types.map { typePlaces[$0.type] ?? 0 }
            let originOrder = reading.tables.origins.map { originPlaces[$0] ?? 0 }
            for (index, fragment) in reading.fragments.enumerated() {
                let day = UInt64(Swift.max(0, fragment.day.ordinal + Self.dayOffset)) & Self.dayMask
                let order = typeOrder[Int(fragment.type)] << 48 | originOrder[Int(fragment.origin)] << 24 | day
                entries.append(Entry(order: order, reading: Int32(readingIndex), fragment: Int32(index)))
            }
        }
        entries.sort { ($0.order, $0.reading, $0.fragment) < ($1.order, $1.reading, $1.fragment) }
    }

    /// Calls `body` with every page: its key, the definition of its type, its samples as delivered.
    func forEach(_ body: (SamplePageKey, SampleTypeDefinition, SampleColumns) throws -> Void) throws {
        var position = 0
        while position < entries.count {
            let order = entries[position].order
            var columns = SampleColumns()
            var day = CalendarDay(ordinal: 0)
            while position < entries.count, entries[position].order == order {
                let entry = entries[position]
                let fragment = readings[Int(entry.reading)].fragments[Int(entry.fragment)]
                day = fragment.day
                let decoded = try SamplePageCodec.decode(fragment.bytes)
                if columns.isEmpty { columns = decoded } else { columns.append(decoded) }
                position += 1
            }
            let definition = types[Int(order >> 48)]
            let origin = origins[Int(order >> 24 & Self.dayMask)]
            try body(SamplePageKey(type: definition.type, origin: origin, day: day), definition, columns)
        }
    }

    private static let dayOffset = 1 << 23
    private static let dayMask: UInt64 = 0xFF_FFFF
}
