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

/// A group of requests that probably contain only new samples of one series. It is stored in one round trip, on the
/// condition that the series is as this process left it.
struct NewSamples {
    private let userRow: Int32
    private let series: Int32
    private let batches: [ReceivedSampleBatch]
    private let indexes: SeriesIndexes

    /// Returns `nil` if the group contains anything else than samples of one series, or an idempotency key.
    init?(_ writes: [ReceivedWrite], places: [SamplePlaces], userRow: Int32, indexes: SeriesIndexes) {
        guard let series = places.first?.series, series != SamplePlaces.noSeries,
            places.allSatisfy({ $0.series == series })
        else { return nil }
        var batches: [ReceivedSampleBatch] = []
        for write in writes {
            guard write.key == nil, case .samples(_, let batch) = write.content else { return nil }
            batches.append(batch)
        }
        self.userRow = userRow
        self.series = series
        self.batches = batches
        self.indexes = indexes
    }

    /// Returns the outcomes of each request, or `nil` if nothing was stored: a sample may be known, a page must be
    /// rewritten, or another server changed the series. Then the group must be stored in the general way.
    func commit(places: [SamplePlaces], over connection: PostgresConnection) throws -> [[StoreOutcome]]? {
        let key = SeriesIndexes.Key(userRow: userRow, series: series)
        guard let index = indexes.take(key) else { return nil }
        guard let state = index.state, state.rowsAfter == nil,
            PageMerging.merged(
                index.pages, with: batches.reduce(0) { $0 + $1.samples.count }, at: state.lastPosition + 1) == 0
        else {
            indexes.put(index, for: key)
            return nil
        }
        let (pages, epoch) = (index.pages, index.epoch)
        // Without a copy of the index, because a change would then copy all fingerprints.
        var write = SeriesWrite(state, epoch: epoch, known: consume index)
        guard batches.allSatisfy({ write.request($0.samples) == nil }), write.lookUps.isEmpty else {
            indexes.put(write.index, for: key)
            return nil
        }
        let outcomes = zip(batches, places).map { batch, places in
            batch.samples.map { write.decide($0, origin: places.origin(of: $0)) }
        }
        let expected = ExpectedSeries(change: state.change, epoch: epoch)
        let isStored = try write.loads().isEmpty && run(try write.changes(if: expected), over: connection)
        var written = write.index
        if !isStored { written.restore(pages: pages, change: state.change) }
        indexes.put(written, for: key)
        return isStored ? outcomes : nil
    }

    /// Runs the changes; returns whether the series was in the state that they expect.
    private func run(_ changes: [UserCommand], over connection: PostgresConnection) throws -> Bool {
        // The requests may contain no samples.
        guard !changes.isEmpty else { return true }
        let answers = try connection.run(
            [.begin, .lock(userRow)] + changes.map { $0.command(userRow: userRow) } + [.commit])
        return answers.dropLast().last?.count == 1
    }
}

/// The row ids that the samples of a request refer to.
struct SamplePlaces {
    /// The series of a request without samples.
    static let noSeries: Int32 = 0

    private(set) var series = noSeries
    private var origins: [Int32] = []

    init(of write: ReceivedWrite, userRow: Int32, in rows: KnownRows) throws {
        guard case .samples(let type, let batch) = write.content else { return }
        series = try rows.row(of: type, userRow: userRow)
        origins = try rows.rows(of: batch.origins, userRow: userRow)
    }

    /// Returns the row id of the sample's origin; 0 if it has none.
    func origin(of sample: ReceivedSample) -> Int64 {
        origins.indices.contains(sample.origin) ? Int64(origins[sample.origin]) : 0
    }
}
