import HealthSyncDomain
import HealthSyncPorts

/// The transaction that stores requests of one user, in two round trips: look up, then write and commit.
///
/// It first locks the user's row in `positions`. So the writes of one user, from whatever process, happen one after the
/// other: outcomes are decided on what is really there, no transaction waits for one that waits for it, and positions
/// become visible in ascending order.
struct GroupTransaction {
    let user: UserName
    let writes: [ReceivedWrite]

    /// What became of each request; a failure is that request's alone.
    func commit(in session: PostgresSession) throws -> [Result<[StoreOutcome], any Error>] {
        let userRow = try session.rows.row(of: user)
        let places = try writes.map { try SamplePlaces(of: $0, userRow: userRow, in: session.rows) }
        var keys = BatchKeyDecisions(writes)
        var samples = SampleDecisions(writes, places: places)
        var records = RecordDecisions(writes)
        let questions = [keys.question, samples.question, records.question].map { $0?.command(userRow: userRow) }
        let answers = try session.connection.run([.begin, .lock(userRow)] + questions.compactMap(\.self))
        var unread = answers.dropFirst(2)
        samples.lastPosition = try answers.dropFirst().first?.first { try $0.integer() } ?? 0
        if questions[0] != nil, let answer = unread.popFirst() { try keys.learn(answer) }
        if questions[1] != nil, let answer = unread.popFirst() { try samples.learn(answer) }
        if questions[2] != nil, let answer = unread.popFirst() { try records.learn(answer) }
        let outcomes = zip(writes, places).map { write, places -> Result<[StoreOutcome], any Error> in
            if let refusal = keys.decide(write) { return .failure(refusal) }
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
