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

/// The sleep sessions that deliveries of a feed state whole. Of the overlapping sessions of one app the one stated last
/// counts, and of the others nothing.
///
/// The times and versions of all stated sessions are stored, also of those that do not count: they would otherwise be
/// unknown to a session that arrives late.
private struct FeedSessions {
    /// Stored samples are searched on the days of the sessions and so many days before and after.
    private static let reach = 2

    /// A stated session.
    private struct Window {
        var start: Int64
        var end: Int64
        var version: Int64
        /// The position of the delivery; negative for what was stated before.
        var order: Int

        func overlaps(_ start: Int64, _ end: Int64) -> Bool { self.start < end && start < self.end }
        func contains(_ start: Int64, _ end: Int64) -> Bool { self.start <= start && end <= self.end }
        func outranks(_ version: Int64, _ order: Int) -> Bool { (self.version, self.order) > (version, order) }
    }

    /// The stored samples of sessions that count no longer.
    private(set) var outdated: [SamplePageKey: DeletedSampleRows] = [:]
    private let type = SampleTypeDefinition.sleepAnalysis.type
    private let provider: String
    private let arriving: [FeedStatement]
    private var windows: [ExactText: [Window]] = [:]

    init(
        _ statements: [FeedStatement], provider: String, held: HeldPages, transaction: any SamplePageTransaction
    ) throws {
        self.provider = provider
        arriving = statements.filter { $0.session != nil }
        guard !arriving.isEmpty else { return }
        var days: [ExactText: DayRange] = [:]
        for (order, statement) in statements.enumerated() {
            guard let session = statement.session else { continue }
            let name = ExactText(session.sourceName)
            let (first, last) = (CalendarDay(utcDayOf: session.start), CalendarDay(utcDayOf: session.end))
            let known = days[name]
            days[name] = DayRange(min(known?.first ?? first, first), through: max(known?.last ?? last, last))
            windows[name, default: []].append(
                Window(
                    start: session.start.milliseconds, end: session.end.milliseconds, version: statement.version,
                    order: order))
        }
        for name in days.keys {
            windows[name, default: []] += try transaction.knownWindows(provider: Self.key(provider, name.text)).map {
                Window(
                    start: $0.start.milliseconds, end: $0.end.milliseconds, version: $0.version,
                    order: FeedVersions.stored)
            }
        }
        for key in held.keys where key.type == type {
            guard let days = days[ExactText(key.origin.sourceName)],
                days.widened(before: Self.reach, after: Self.reach).contains(key.day)
            else { continue }
            try compare(try held.samples(of: HeldPages.firstLineage, at: key), at: key)
        }
    }

    /// Returns whether a sample of an app, stated by a delivery, belongs to a session that does not count.
    func isOutdated(_ columns: SampleColumns, _ row: Int, of app: String, version: Int64, order: Int) -> Bool {
        let (start, end) = (columns.starts[row], columns.starts[row] + columns.durations[row])
        let all = windows[ExactText(app)] ?? []
        let rivals = all.filter { $0.outranks(version, order) }
        guard !rivals.isEmpty else { return false }
        if rivals.contains(where: { $0.overlaps(start, end) }) { return true }
        let own = all.filter { window in
            window.version == version && (order == FeedVersions.stored || window.order == order)
                && window.contains(start, end)
        }
        return own.contains { window in rivals.contains { $0.overlaps(window.start, window.end) } }
    }

    /// Stores what the deliveries state, after all pages were stored.
    func remember(in transaction: any SamplePageTransaction) throws {
        for statement in arriving.sorted(by: { $0.version < $1.version }) {
            guard let session = statement.session else { continue }
            try transaction.putKnownWindow(
                KnownWindow(type: type, start: session.start, end: session.end, version: statement.version),
                provider: Self.key(provider, session.sourceName))
        }
    }

    private mutating func compare(_ stored: SampleColumns, at key: SamplePageKey) throws {
        for row in stored.starts.indices where stored.details[row]?.externalID == nil {
            let version = stored.details[row]?.syncVersion ?? .min
            if isOutdated(
                stored, row, of: key.origin.sourceName, version: version, order: FeedVersions.stored)
            {
                outdated[key, default: DeletedSampleRows()].insert(stored, row)
            }
        }
    }

    /// The name under which the sessions of an app are stored.
    private static func key(_ provider: String, _ app: String) -> String { "\(provider)/sleep/\(app)" }
}
