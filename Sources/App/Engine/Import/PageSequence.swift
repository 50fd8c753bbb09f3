import HealthSyncDomain

/// The pages made of the fragments of several readings, in the order in which a store writes them fastest: by type,
/// origin and day.
struct PageSequence {
    private let readings: [AssembledSamples]
    private let types: [SampleTypeDefinition]
    private let origins: [SampleOrigin]
    private var entries: [Entry] = []

    private struct Entry {
        /// Indices of type, origin and day in sorted tables, packed into one number for comparison.
        let order: UInt64
        let reading: Int32
        let fragment: Int32
    }

    init(_ readings: [AssembledSamples]) {
        self.readings = readings
        let definitions = Dictionary(
            readings.flatMap(\.tables.types).map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
        types = definitions.values.sorted { $0.type < $1.type }
        origins = Set(readings.flatMap(\.tables.origins)).sorted { $0.orderingText < $1.orderingText }
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

    /// Calls `body` with every page.
    func forEach(_ body: (ArrivingPage) throws -> Void) throws {
        var first = 0
        while first < entries.count {
            var end = first + 1
            while end < entries.count, entries[end].order == entries[first].order { end += 1 }
            let (key, definition) = page(of: entries[first])
            try body(
                ArrivingPage(key: key, definition: definition, fragments: entries[first..<end].map(fragment)))
            first = end
        }
    }

    /// Calls `body` with every fragment that has samples with versions: the key of its page, its samples, and by row
    /// the position of those with versions in the order of reading.
    func forEachVersioned(_ body: (SamplePageKey, SampleColumns, [Int: Int64]) throws -> Void) throws {
        guard readings.contains(where: { $0.fragments.contains { !$0.versions.isEmpty } }) else { return }
        for entry in entries {
            let fragment = fragment(of: entry)
            guard !fragment.versions.isEmpty else { continue }
            let order = fragment.versions.mapValues { Int64(entry.reading) << 40 | $0 }
            try body(page(of: entry).key, try SamplePageCodec.decode(fragment.bytes), order)
        }
    }

    private func fragment(of entry: Entry) -> PageFragment {
        readings[Int(entry.reading)].fragments[Int(entry.fragment)]
    }

    private func page(of entry: Entry) -> (key: SamplePageKey, definition: SampleTypeDefinition) {
        let definition = types[Int(entry.order >> 48)]
        let origin = origins[Int(entry.order >> 24 & Self.dayMask)]
        return (SamplePageKey(type: definition.type, origin: origin, day: fragment(of: entry).day), definition)
    }

    private static let dayOffset = 1 << 23
    private static let dayMask: UInt64 = 0xFF_FFFF
}
