import HealthSyncDomain
import HealthSyncPorts

/// A transaction that stores requests of one user. New samples of one type usually take one round trip, other requests
/// at least two: look up, then write and commit.
///
/// It first locks the user's row in `user_locks`. So writes of one user, from any process, happen one after another:
/// outcomes are decided on current data, deadlocks cannot occur, and positions become visible in ascending order.
struct GroupTransaction {
    let user: UserName
    let writes: [ReceivedWrite]
    let indexes: SeriesIndexes

    /// Returns the outcome of each request. A failure concerns only its own request.
    func commit(in session: PostgresSession) throws -> [Result<[StoreOutcome], any Error>] {
        let userRow = try session.rows.row(of: user)
        let places = try writes.map { try SamplePlaces(of: $0, userRow: userRow, in: session.rows) }
        if let new = NewSamples(writes, places: places, userRow: userRow, indexes: indexes),
            let outcomes = try new.commit(places: places, over: session.connection)
        {
            return outcomes.map { .success($0) }
        }
        let series = Set(places.map(\.series)).subtracting([SamplePlaces.noSeries]).sorted()
        var keys = BatchKeyDecisions(writes)
        var records = RecordDecisions(writes)
        let queries = [series.isEmpty ? nil : SeriesState.select(series), keys.query, records.query]
            .map { $0?.command(userRow: userRow) }
        let answers = try session.connection.run(
            [.begin, .lock(userRow)] + queries[..<2].compactMap(\.self)
                + queries[2...].compactMap { $0.map { [.planEach, $0] } }.joined())
        let epoch = try answers.dropFirst().first?.first { try $0.text() }
        guard let epoch else { throw PostgresError(kind: .rejected, sqlState: "02000", message: "a user is missing") }
        var unread = answers.dropFirst(2)
        let states = series.isEmpty ? nil : try unread.popFirst()?.map { try SeriesState(&$0) }
        if queries[1] != nil, let answer = unread.popFirst() { try keys.load(answer) }
        if queries[2] != nil, let answer = unread.dropFirst().first { try records.load(answer) }
        var samples = SampleGroup(states ?? [], epoch: epoch, userRow: userRow, indexes: indexes)
        let failures = zip(writes, places).map { write, places -> (any Error)? in
            guard case .samples(_, let batch) = write.content else { return nil }
            return samples.request(batch.samples, series: places.series)
        }
        try samples.lookUp(over: session.connection)
        let outcomes = zip(writes, zip(places, failures)).map { write, known -> Result<[StoreOutcome], any Error> in
            if let failure = known.1 ?? keys.decide(write) { return .failure(failure) }
            switch write.content {
            case .samples(_, let batch):
                return .success(
                    samples.decide(batch.samples, series: known.0.series) { known.0.origin(of: $0) })
            case .records(let kind, let sent):
                return .success(sent.map { records.decide($0, kind: kind, at: write.receivedAt) })
            }
        }
        let changes = try samples.changes(over: session.connection) + keys.changes + records.changes
        try session.connection.run(changes.map { $0.command(userRow: userRow) } + [.commit])
        samples.finish()
        return outcomes
    }
}
