import HealthSyncDomain
import HealthSyncPorts

/// Orders the deliveries of a feed by their versions: a delivery that arrives late does not undo the corrections of a
/// newer one. It only adds what the newer one did not contain.
struct FeedVersions {
    /// Deliveries are remembered as long as the archive keeps posts by default, in milliseconds.
    private static let remembered: Int64 = 90 * 86_400_000
    /// The position of what is stored, before that of each delivery.
    static let stored = -1

    /// The stored samples to remove: those whose local times were read in another zone, and those of sessions that count
    /// no longer.
    let removals: [SamplePageKey: DeletedSampleRows]
    private let moved: MovedLocalTimes
    private let sessions: FeedSessions
    private let provider: String
    private let statements: [FeedStatement]
    /// The positions of the deliveries that count as made now. A sample of theirs needs a version only if it has not ended.
    private let madeNow: Set<Int>
    private let known: [SampleType: [KnownWindow]]
    private let transaction: any SamplePageTransaction

    /// `nil` if the reading has no deliveries with versions.
    init?(
        _ reading: SourceReading, moved: MovedLocalTimes, provider: String, held: HeldPages, now: Instant,
        transaction: any SamplePageTransaction
    ) throws {
        guard !reading.statements.isEmpty else { return nil }
        self.moved = moved
        self.provider = provider
        self.transaction = transaction
        madeNow = Set(reading.statements.indices.filter { reading.statements[$0].version == FeedStatement.onImport })
        statements = reading.statements.map { statement in
            var statement = statement
            if statement.version == FeedStatement.onImport { statement.version = now.milliseconds }
            return statement
        }
        known = Dictionary(grouping: try transaction.knownWindows(provider: provider), by: \.type)
        sessions = try FeedSessions(statements, provider: provider, held: held, transaction: transaction)
        removals = moved.rows.merging(sessions.outdated) { rows, more in
            var rows = rows
            rows.formUnion(more)
            return rows
        }
    }

    /// The samples of a page that count, the stored ones that they replace, and the numbers of those that do not count.
    struct Current {
        var samples = SampleColumns()
        var replaced = DeletedSampleRows()
        /// The number of replaced samples that arrived again with the same value.
        var repeated = 0
        var outdated = 0
        /// The samples among the outdated ones whose sum is of a part of an interval that was over.
        var clipped = 0
    }

    /// Returns whether the samples of a page without stored ones must be compared, or get the version of their delivery.
    func concern(_ page: ArrivingPage) -> Bool {
        guard page.fragments.count == 1, let fragment = page.fragments.first else { return true }
        guard let place = fragment.statement, statements.indices.contains(place),
            keepsVersion(statements[place], at: page.key)
        else { return false }
        guard madeNow.contains(place), let content = fragment.canonical else { return true }
        return content.summary.lastEnd.milliseconds > statements[place].version
    }

    /// Compares the samples of a page with each other and with the stored ones.
    func current(_ page: ArrivingPage, stored: SampleColumns) throws -> Current {
        var current = Current()
        current.replaced = removals[page.key] ?? DeletedSampleRows()
        let valid = current.replaced.removed(from: moved.current(stored))
        var comparison = PageComparison(page, parts: try parts(of: page), stored: valid)
        comparison.dropStored()
        comparison.compareExact { latest(of: page.key.type, at: $0) }
        comparison.compareRestated { latest(of: page.key.type, at: $0) }
        comparison.dropSessions { part, row in
            sessions.isOutdated(
                part.columns, row, of: page.key.origin.sourceName, version: part.version, order: part.order)
        }
        comparison.finish(&current)
        return current
    }

    /// Stores what the deliveries contain, after all pages were stored.
    func remember() throws {
        try sessions.remember(in: transaction)
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

    /// Returns the samples of a page by delivery, in the order of the versions. Samples that belong to no delivery come
    /// last.
    private func parts(of page: ArrivingPage) throws -> [PageComparison.Part] {
        try page.fragments.map { fragment in
            let columns = try SamplePageCodec.decode(fragment.bytes)
            guard let place = fragment.statement, statements.indices.contains(place) else {
                return PageComparison.Part(columns: columns, version: .max, order: .max, statement: nil)
            }
            let statement = statements[place]
            return PageComparison.Part(
                columns: keepsVersion(statement, at: page.key)
                    ? versioned(columns, by: statement, isMadeNow: madeNow.contains(place)) : columns,
                version: statement.version, order: place, statement: statement)
        }
        .enumerated()
        .sorted {
            ($0.element.version, $0.element.order, $0.offset) < ($1.element.version, $1.element.order, $1.offset)
        }
        .map(\.element)
    }

    /// Sleep always keeps the version of its delivery: an app may restate a night with another start (`ReplacedSleep`).
    private func keepsVersion(_ statement: FeedStatement, at key: SamplePageKey) -> Bool {
        statement.keepsVersion || key.type == SampleTypeDefinition.sleepAnalysis.type && !key.origin.isPreAggregated
    }

    private func versioned(_ columns: SampleColumns, by statement: FeedStatement, isMadeNow: Bool) -> SampleColumns {
        var columns = columns
        for row in columns.starts.indices where columns.durations[row] > 0 {
            let end = columns.starts[row] + columns.durations[row]
            guard columns.details[row]?.externalID == nil, !isMadeNow || end > statement.version else { continue }
            columns.details[row, default: SampleDetail()].syncVersion = statement.version
        }
        return columns
    }

    /// Returns the highest version of the stored deliveries that contain `start`.
    private func latest(of type: SampleType, at start: Int64) -> Int64 {
        (known[type] ?? []).lazy.filter { $0.contains(start) }.map(\.version).max() ?? .min
    }
}
