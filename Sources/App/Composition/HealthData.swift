public import Foundation
import HealthSyncCommands
public import HealthSyncDomain
public import HealthSyncEngine
public import HealthSyncPorts

extension HealthSync {
    /// Opens the data of a folder to read, to follow and to deliver.
    ///
    /// Safe beside a `watch` or a run of another process: reading needs no lock, and sees only complete transactions.
    ///
    /// - Parameters:
    ///   - dataDirectory: the folder of the database.
    ///   - server: the server for `push` and `verify`.
    ///   - userProfileID: identifies the user in deliveries, as in `Request`; `nil` for an id that is created with the data
    ///     folder.
    ///   - handlers: handlers of further metrics, as for `run`.
    ///   - senders: formats that recognize the address of the server, asked before the built-in one.
    ///   - log: receives the events of deliveries.
    /// - Throws: `SyncFailure` with `.noInput` if the folder has no database, and with `.storage` if it cannot be read or is of
    ///   another version.
    public static func open(
        _ dataDirectory: String, server: Request.Server? = nil, userProfileID: UUID? = nil,
        adding handlers: [any HealthMetricSyncHandler] = [], senders: [any HealthDestinationFormat] = [],
        log: (any EventLog)? = nil
    ) async throws -> HealthData {
        let environment = LiveEnvironment.embedded(
            PlugIns(handlers: handlers, senders: senders), log: log ?? Silence(), progress: Silence())
        var request = Request(.daily(), dataDirectory: dataDirectory)
        request.server = server
        request.userProfileID = userProfileID
        let store = EmbeddedStore(environment: environment, settings: try request.settings(environment))
        let data = HealthData(store: store)
        _ = try await data.read { try await $0.records.recordedDays() }
        return data
    }
}

/// The data of a folder. Each call opens the database and closes it again, so a value can be kept for as long as you like.
public struct HealthData: Sendable {
    let store: EmbeddedStore

    /// Returns the result of `body`, which reads the data. A reader is for use in `body`: its `clock` and `today` are those at the
    /// call, and each later use opens the database again.
    public func read<Result: Sendable>(
        _ body: @Sendable (HealthReader) async throws -> Result
    ) async throws -> Result {
        let now = store.time.now()
        return try await store.read { engine, clock in
            try await body(HealthReader(engine: engine, clock: clock, now: now))
        }
    }

    /// Returns the changes of the derived records, shoes and time zones, by any process.
    ///
    /// The first element contains everything that is stored, so that a program that starts, or starts again, misses nothing.
    /// Each further one contains what changed since the one before: however many runs there were, and however slow the consumer is,
    /// each record that differs is in one of them. Read the new figures by `read`. Samples from which no record is derived are not
    /// followed. The sequence ends when its task is cancelled, and throws `SyncFailure` if the database cannot be read any longer.
    ///
    /// - Parameter milliseconds: how often to look, at least 10 ms. A look costs less than a millisecond if nothing was committed, else it
    ///   reads the revision of every record: tens of milliseconds for ten years.
    public func changes(every milliseconds: Int64 = 1_000) -> AsyncThrowingStream<DataChange, any Error> {
        // What the consumer has not taken is merged, so that memory is bounded.
        AsyncThrowingStream(bufferingPolicy: .bufferingOldest(1)) { continuation in
            let task = Task {
                do {
                    try await follow(every: max(milliseconds, Self.shortestPause)) { change in
                        if case .enqueued = continuation.yield(change) { true } else { false }
                    }
                } catch is CancellationError {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static let shortestPause: Int64 = 10

    /// Looks for changes until the task is cancelled. `receive` returns whether it took the change.
    private func follow(every milliseconds: Int64, _ receive: @Sendable (DataChange) -> Bool) async throws {
        try await store.read { [time = store.time] engine, _ in
            var state = DataChanges.State()
            var waiting = try await engine.changes.run(since: &state)
            var isFirst = true
            while true {
                if isFirst || !waiting.isEmpty, receive(waiting) {
                    waiting = DataChange()
                    isFirst = false
                }
                try await time.wait(milliseconds: milliseconds)
                waiting.merge(try await engine.changes.run(since: &state))
            }
        }
    }

    /// Sends what waits for the server, like `healthsync push`. Waits up to five seconds for another run.
    ///
    /// - Parameters:
    ///   - all: whether to queue every stored record that was never queued for the server before, as for a new server.
    ///   - deadlineSeconds: seconds after which no further request is sent; `nil` for no limit.
    /// - Returns: the report; its `account.delivery` counts, and `problems` and `exitStatus` state what is left.
    /// - Throws: `SyncFailure` with `.configuration` without a server, and with `.busy` during another run.
    public func push(all: Bool = false, deadlineSeconds: Int64? = nil) async throws -> RunReport {
        let report = try await store.change { engine in
            try await engine.push.run(deadlineSeconds: deadlineSeconds, resuming: true, all: all)
        }
        guard let report else { throw EmbeddedStore.noServer }
        return report
    }

    /// The result of a comparison of the server with the local store.
    public struct Verification: Sendable, Hashable {
        /// Whether the server has exactly the local records and raw samples.
        public let isEqual: Bool
        /// The local records.
        public let records: Int
        /// The local raw samples of the types that are sent.
        public let samples: Int
        /// The records and samples that differ.
        public let differences: Int
    }

    /// Compares the server with the local store by digests, like `healthsync verify`, and stores the result for `status`.
    ///
    /// - Throws: `SyncFailure` with `.configuration` without a server, with `.unverifiable` if the server provides no digests, or
    ///   none of derived records, and with `.serverUnavailable` if a request fails.
    public func verify() async throws -> Verification {
        let report = try await store.verify()
        return Verification(
            isEqual: report.isEqual, records: report.records?.compared ?? 0,
            samples: report.types.reduce(0) { $0 + $1.localCount }, differences: report.differing)
    }

    /// Pauses delivery for every process until `resume`; runs still import and derive. Idempotent.
    public func pause() throws { try store.pause.set() }

    /// Ends a pause; returns whether delivery was paused. `push` then sends what waited.
    public func resume() throws -> Bool { try store.pause.clear() }

    /// Whether delivery is paused.
    public var isPaused: Bool { store.pause.isSet() }
}

/// Reads the data of a folder. All results are values.
public struct HealthReader: Sendable {
    let engine: SyncEngine
    /// The zones by which days are counted, those of the stored days.
    public let clock: DayClock
    let now: Instant

    /// The current day.
    public var today: CalendarDay { clock.day(of: now) }

    /// The figures by day and hour, nights, sleep sessions and activity snapshots.
    public var records: any HealthRepository { engine.records }

    /// Returns the trend of `metric` over the thirty days that end with `last`.
    public func trend(of metric: HealthMetric, through last: CalendarDay) async throws -> MetricTrend {
        try await records.trend(of: metric, through: last)
    }

    /// Returns all shoes, including archived ones, in the order in which they were added.
    public func shoes() async throws -> [Shoe] { try await engine.shoes.all() }

    /// Returns the times in which shoes were worn, ascending.
    public func shoeSessions() async throws -> [ShoeSession] { try await engine.shoes.sessions().all }

    /// Returns the totals of each pair that was worn.
    public func shoeTotals() async throws -> [Shoe.ID: ShoeTotals] {
        try await engine.shoes.shoeCollection().totals
    }

    /// Returns a day by hour with steps, distance and the shoes worn.
    public func journal(of day: CalendarDay) async throws -> ShoeJournal {
        try await engine.shoes.journal(of: day).journal
    }

    /// Returns the types of which samples are stored.
    public func sampleTypes() async throws -> [SampleTypeDefinition] { try await engine.types.known().all }

    /// Returns the stored samples of `type` that start on `days`, each once, ordered by UTC day, origin and start.
    public func samples(of type: SampleType, on days: DayRange) async throws -> [SampleRow] {
        let rows = CollectedRows()
        _ = try await engine.export.run(types: [type], days: days, to: rows)
        return await rows.all
    }
}

/// Collects rows in memory.
private actor CollectedRows: SampleRowWriter {
    private(set) var all: [SampleRow] = []

    func begin() {}
    func append(_ rows: [SampleRow]) { all += rows }
    func finish() {}
    func discard() { all = [] }
}
