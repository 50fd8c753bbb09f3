import HealthSyncDomain
import HealthSyncPorts

/// A transaction that stores requests of one user in two round trips: look up, then write and commit.
///
/// It first locks the user's row in `positions`. So writes of one user, from any process, happen one after another:
/// outcomes are decided on current data, deadlocks cannot occur, and positions become visible in ascending order.
struct GroupTransaction {
    let user: UserName
    let writes: [ReceivedWrite]

    /// Returns the outcome of each request. A failure concerns only its own request.
    func commit(in session: PostgresSession) throws -> [Result<[StoreOutcome], any Error>] {
        let userRow = try session.rows.row(of: user)
        let places = try writes.map { try SamplePlaces(of: $0, userRow: userRow, in: session.rows) }
        var keys = BatchKeyDecisions(writes)
        var samples = SampleDecisions(writes, places: places)
        var records = RecordDecisions(writes)
        let queries = [keys.query, samples.query, records.query].map { $0?.command(userRow: userRow) }
        let answers = try session.connection.run([.begin, .lock(userRow)] + queries.compactMap(\.self))
        var unread = answers.dropFirst(2)
        samples.lastPosition = try answers.dropFirst().first?.first { try $0.integer() } ?? 0
        if queries[0] != nil, let answer = unread.popFirst() { try keys.load(answer) }
        if queries[1] != nil, let answer = unread.popFirst() { try samples.load(answer) }
        if queries[2] != nil, let answer = unread.popFirst() { try records.load(answer) }
        let outcomes = zip(writes, places).map { write, places -> Result<[StoreOutcome], any Error> in
            if let failure = keys.decide(write) { return .failure(failure) }
            switch write.content {
            case .samples(_, let batch): return .success(batch.samples.map { samples.decide($0, at: places) })
            case .records(let kind, let sent):
                return .success(sent.map { records.decide($0, kind: kind, at: write.receivedAt) })
            }
        }
        try session.connection.run(
            (keys.changes + samples.changes + records.changes).map { $0.command(userRow: userRow) } + [.commit])
        return outcomes
    }
}
