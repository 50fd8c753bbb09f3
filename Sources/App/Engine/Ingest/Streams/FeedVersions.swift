import HealthSyncDomain
import HealthSyncPorts

/// Orders the deliveries of a feed by their versions: a delivery that arrives late does not undo the corrections of a
/// newer one. It only adds what the newer one did not contain.
struct FeedVersions {
    /// Deliveries are remembered as long as the archive keeps posts by default, in milliseconds.
    private static let remembered: Int64 = 90 * 86_400_000

    /// The stored samples whose local times were read in another zone.
    let moved: MovedLocalTimes
    private let provider: String
    private let statements: [FeedStatement]
    private let known: [SampleType: [KnownWindow]]
    private let transaction: any SamplePageTransaction

    /// `nil` if the reading has no deliveries with versions.
    init?(
        _ reading: SourceReading, moved: MovedLocalTimes, provider: String, transaction: any SamplePageTransaction
    ) throws {
        guard !reading.statements.isEmpty else { return nil }
        self.moved = moved
        self.provider = provider
        self.transaction = transaction
        statements = reading.statements
        known = Dictionary(grouping: try transaction.knownWindows(provider: provider), by: \.type)
    }

    /// The samples of a page that count, the stored ones that they replace, and the number of those that do not count.
    struct Current {
        var samples = SampleColumns()
        var replaced = DeletedSampleRows()
        var outdated = 0
    }

    /// What a sample measures: other values of the same place are corrections. A sample with an identifier has none.
    private struct Place: Hashable {
        var start: Int64
        var duration: Int64
        /// Time in bed and a stage of sleep may have the same times.
        var isInBed: Bool

        init?(_ columns: SampleColumns, _ row: Int, at key: SamplePageKey) {
            guard columns.details[row]?.externalID == nil else { return nil }
            start = columns.starts[row]
            duration = columns.durations[row]
            isInBed = key.type == SampleTypeDefinition.sleepAnalysis.type && columns.values[row] == 0
        }
    }

    /// Compares the samples of a page with each other and with the stored ones.
    func current(_ page: ArrivingPage, stored: SampleColumns) throws -> Current {
        let parts = try page.fragments.enumerated()
            .map { (version: version(of: $0.element), order: $0.offset, bytes: $0.element.bytes) }
            .sorted { ($0.version, $0.order) < ($1.version, $1.order) }
            .map { (version: $0.version, columns: try SamplePageCodec.decode($0.bytes)) }
        var newest: [Place: Int64] = [:]
        for part in parts {
            for row in part.columns.starts.indices {
                if let place = Place(part.columns, row, at: page.key) { newest[place] = part.version }
            }
        }
        let valid = moved.current(stored)
        let places = Set(valid.starts.indices.compactMap { Place(valid, $0, at: page.key) })
        let unfinished = Set(places.lazy.filter { UnfinishedBucket.isUnfinished(duration: $0.duration) }.map(\.start))
        var current = Current()
        current.replaced = moved.rows[page.key] ?? DeletedSampleRows()
        var kept: [Place: Set<Double>] = [:]
        for part in parts {
            let rows = part.columns.starts.indices.filter { row in
                guard let place = Place(part.columns, row, at: page.key) else { return true }
                guard newest[place] == part.version else { return false }
                let isKnown =
                    places.contains(place) || page.key.origin.isPreAggregated && unfinished.contains(place.start)
                guard !isKnown || part.version >= latest(of: page.key.type, at: place.start) else { return false }
                kept[place, default: []].insert(part.columns.values[row])
                return true
            }
            current.outdated += part.columns.count - rows.count
            current.samples.append(part.columns.selecting(rows))
        }
        guard !page.key.origin.isPreAggregated else { return current }
        for row in valid.starts.indices {
            guard let place = Place(valid, row, at: page.key), let values = kept[place],
                !values.contains(valid.values[row])
            else { continue }
            current.replaced.insert(valid, row)
        }
        return current
    }

    /// Stores what the deliveries contain, after all pages were stored.
    func remember() throws {
        let newest = statements.map(\.version).max() ?? 0
        for statement in statements where statement.version >= newest - Self.remembered {
            for interval in statement.intervals {
                try transaction.putKnownWindow(
                    KnownWindow(
                        type: interval.type, start: interval.start, end: interval.end.advanced(byMilliseconds: 1),
                        version: statement.version), provider: provider)
            }
        }
        try transaction.removeKnownWindows(provider: provider, before: newest - Self.remembered)
    }

    private func version(of fragment: PageFragment) -> Int64 {
        fragment.statement.flatMap { statements.indices.contains($0) ? statements[$0].version : nil } ?? .max
    }

    /// Returns the highest version of the stored deliveries that contain `start`.
    private func latest(of type: SampleType, at start: Int64) -> Int64 {
        (known[type] ?? []).lazy.filter { $0.contains(start) }.map(\.version).max() ?? .min
    }
}
