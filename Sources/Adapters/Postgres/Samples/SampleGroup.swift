import HealthSyncDomain

/// The samples of a group of requests of one user, by series.
struct SampleGroup {
    private let userRow: Int32
    private let indexes: SeriesIndexes
    private var writes: [SeriesWrite] = []
    /// The index in `writes` by series.
    private var places: [Int32: Int] = [:]

    /// - Parameters:
    ///   - states: The series of all requests, read under the lock of the user.
    ///   - epoch: The epoch that the lock returned.
    init(_ states: [SeriesState], epoch: String, userRow: Int32, indexes: SeriesIndexes) {
        self.userRow = userRow
        self.indexes = indexes
        for state in states {
            places[state.series] = writes.count
            let key = SeriesIndexes.Key(userRow: userRow, series: state.series)
            writes.append(SeriesWrite(state, epoch: epoch, known: indexes.take(key)))
        }
    }

    /// Adds a request. Returns its failure if a sample cannot be stored; it is then not part of the group.
    mutating func request(_ samples: [ReceivedSample], series: Int32) -> PostgresError? {
        guard let place = places[series] else {
            return PostgresError(kind: .rejected, sqlState: "02000", message: "a series is missing")
        }
        return writes[place].request(samples)
    }

    /// Looks up which of the requested samples are stored.
    mutating func lookUp(over connection: PostgresConnection) throws {
        try run({ $0.catchUp }, over: connection) { try $0.loadFingerprints($1) }
        try run({ $0.lookUps }, over: connection) { try $0.loadIDs($1) }
    }

    /// Decides the outcomes of a request; `origin` returns the row of a sample's origin, 0 for none.
    mutating func decide(
        _ samples: [ReceivedSample], series: Int32, origin: (ReceivedSample) -> Int64
    ) -> [StoreOutcome] {
        guard let place = places[series] else { return [] }
        return samples.map { writes[place].decide($0, origin: origin($0)) }
    }

    /// Returns the statements that store the samples.
    mutating func changes(over connection: PostgresConnection) throws -> [UserCommand] {
        try run({ $0.loads() }, over: connection) { try $0.loadPages($1) }
        var changes: [UserCommand] = []
        for place in writes.indices { changes += try writes[place].changes() }
        return changes
    }

    /// Stores the indexes for later transactions, after the commit.
    mutating func finish() {
        for (series, place) in places {
            indexes.put(writes[place].index, for: SeriesIndexes.Key(userRow: userRow, series: series))
        }
        writes.removeAll()
    }

    /// Runs the statements of all series in one round trip.
    private mutating func run(
        _ commands: (inout SeriesWrite) -> [UserCommand], over connection: PostgresConnection,
        _ load: (inout SeriesWrite, ArraySlice<PostgresRows>) throws -> Void
    ) throws {
        var sent: [PostgresCommand] = []
        var counts: [Int] = []
        for place in writes.indices {
            let own = commands(&writes[place])
            counts.append(own.count)
            sent += own.map { $0.command(userRow: userRow) }
        }
        guard !sent.isEmpty else { return }
        var answers = try connection.run([.planEach] + sent).dropFirst()
        for (place, count) in counts.enumerated() where count > 0 {
            try load(&writes[place], answers.prefix(count))
            answers = answers.dropFirst(count)
        }
    }
}
