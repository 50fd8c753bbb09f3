import HealthSyncDomain
import HealthSyncPorts

/// The sleep sessions that deliveries of a feed state whole. Of the overlapping sessions of one app the one stated last
/// counts, and of the others nothing.
///
/// The times and versions of all stated sessions are stored, also of those that do not count: they would otherwise be
/// unknown to a session that arrives late.
struct FeedSessions {
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
