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
    ///   - handlers: handlers of further metrics, as for `run`.
    ///   - senders: formats that recognize the address of the server, asked before the built-in one.
    ///   - log: receives the events of deliveries.
    /// - Throws: `SyncFailure` with `.noInput` if the folder has no database, and with `.storage` if it cannot be read or is of
    ///   another version.
    public static func open(
        _ dataDirectory: String, server: Request.Server? = nil, adding handlers: [any HealthMetricSyncHandler] = [],
        senders: [any HealthDestinationFormat] = [], log: (any EventLog)? = nil
    ) async throws -> HealthData {
        let environment = LiveEnvironment.embedded(
            PlugIns(handlers: handlers, senders: senders), log: log ?? Silence(), progress: Silence())
        var request = Request(.daily(), dataDirectory: dataDirectory)
        request.server = server
        let store = EmbeddedStore(environment: environment, settings: try request.settings(environment))
        let data = HealthData(store: store)
        _ = try await data.read { try await $0.records.recordedDays() }
        return data
    }
}

/// The data of a folder. Each call opens the database and closes it again, so a value can be kept for as long as you like.
public struct HealthData: Sendable {
    let store: EmbeddedStore

    /// Returns the result of `body`, which reads the data. A reader that is used later opens the database again.
    public func read<Result: Sendable>(
        _ body: @Sendable (HealthReader) async throws -> Result
    ) async throws -> Result {
        let now = store.time.now()
        return try await store.read { engine, clock in
            try await body(HealthReader(engine: engine, clock: clock, now: now))
        }
    }

    /// Returns the changes of the data, by any process.
    ///
    /// The first element contains everything that is stored, so that a program that starts, or starts again, misses nothing.
    /// Each further one contains what changed since the one before: however many runs there were, each record that differs is in
    /// one of them. Read the new figures by `read`. The sequence ends when its task is cancelled, and throws `SyncFailure` if
    /// the database cannot be read any longer.
    ///
    /// - Parameter milliseconds: how often to look, at least 10 ms. A look at unchanged data costs some microseconds.
    public func changes(every milliseconds: Int64 = 1_000) -> AsyncThrowingStream<DataChange, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await follow(every: max(milliseconds, Self.shortestPause)) { continuation.yield($0) }
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

    private func follow(every milliseconds: Int64, _ receive: @Sendable (DataChange) -> Void) async throws {
        try await store.read { [time = store.time] engine, _ in
            var state = DataChanges.State()
            var isFirst = true
            while true {
                let change = try await engine.changes.run(since: &state)
                if isFirst || !change.isEmpty { receive(change) }
                isFirst = false
                try await time.wait(milliseconds: milliseconds)
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
        /// The local records; 0 if the server provides no digests of records.
        public let records: Int
        /// The local raw samples of the types that are sent.
        public let samples: Int
        /// The records and samples that differ.
        public let differences: Int
    }

    /// Compares the server with the local store by digests, like `healthsync verify`, and stores the result for `status`.
    ///
    /// - Throws: `SyncFailure` with `.configuration` without a server, with `.unverifiable` if the server provides no digests, and
    ///   with `.serverUnavailable` if a request fails.
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
