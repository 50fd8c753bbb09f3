import HealthSyncDomain

/// Stores samples: decides which are new and which replace others, and assigns positions.
struct ReceivedSampleWriting {
    private let transaction: ReceivedTransaction
    private let series: Int64
    private let ids: SeriesIDs
    /// The number of samples of the series before this write.
    private let countBefore: Int
    private var created = ReceivedColumns()
    private var replaced: [(position: Int64, sample: ReceivedSample, origin: Int64)] = []

    private init(series: Int64, in transaction: ReceivedTransaction) throws {
        self.transaction = transaction
        self.series = series
        if !transaction.ids.knows(series) { try transaction.writeSamples() }
        ids = try transaction.ids.ids(of: series)
        countBefore = ids.count
    }

    /// Stores `batch` and decides each sample with `StoreOutcome.of`; `line` encodes a new sample for `steps.jsonl`.
    static func store(
        _ batch: ReceivedSampleBatch, type: String, user: UserName, in transaction: ReceivedTransaction,
        line: SQLiteReceivedDataStore.LineEncoder?
    ) throws -> [StoreOutcome] {
        let origins = try batch.origins.map { try transaction.row(of: $0) }
        var writing = try Self(series: try transaction.row(of: type, user: user), in: transaction)
        writing.created.reserve(batch.samples.count)
        var outcomes: [StoreOutcome] = []
        outcomes.reserveCapacity(batch.samples.count)
        for sample in batch.samples {
            let origin = origins.indices.contains(sample.origin) ? origins[sample.origin] : 0
            outcomes.append(try writing.decide(sample, origin: origin))
        }
        try writing.finish()
        if let line {
            var lines: [UInt8] = []
            for (sample, outcome) in zip(batch.samples, outcomes) where outcome == .created && !sample.isDeleted {
                lines += line(sample, batch.origin(of: sample))
            }
            transaction.lineChanges.append(.append(user, lines: lines, lastPosition: transaction.lastPosition))
        }
        return outcomes
    }

    private mutating func decide(_ sample: ReceivedSample, origin: Int64) throws -> StoreOutcome {
        let revision = SeriesIDs.Revision(number: sample.revision, isDeleted: sample.isDeleted)
        guard let ordinal = ids.insert(sample.id) else {
            ids.set(revision, of: ids.count - 1)
            created.append(sample, origin: origin)
            return .created
        }
        let known = ids.revision(of: ordinal)
        let outcome = StoreOutcome.of(
            revision: sample.revision, isDeleted: sample.isDeleted, over: (known.number, known.isDeleted))
        guard outcome == .updated else { return outcome }
        ids.set(revision, of: ordinal)
        if ordinal >= countBefore {
            created.replace(at: ordinal - countBefore, by: sample, origin: origin)
        } else if let position = ids.position(of: ordinal) {
            replaced.append((position, sample, origin))
        } else {
            throw SQLiteFailure.damaged(transaction.connection.path, "a sample has no position")
        }
        return outcome
    }

    private func finish() throws {
        if created.count > 0 {
            let position = transaction.takePositions(created.count)
            ids.note(SeriesIDs.Run(ordinal: countBefore, position: position))
            transaction.unwritten.append(created, series: series, at: position)
        }
        let written = replaced.filter { revision in
            !transaction.unwritten.replace(at: revision.position, by: revision.sample, origin: revision.origin)
        }
        try ReceivedSamplePages.replace(written, series: series, over: transaction.connection)
    }

    /// Removes all samples of a type; returns how many were not yet deleted.
    static func removeAll(type: String, user: UserName, in transaction: ReceivedTransaction) throws -> Int {
        let connection = transaction.connection
        try transaction.writeSamples()
        let series = try transaction.row(of: type, user: user)
        let alive = try connection.first("SELECT sum(alive) FROM sample_pages WHERE series_id = ?1", series) {
            try $0.optional { try $0.int() }
        }
        // Positions are never reused, and the positions of deleted pages are recorded nowhere else.
        try connection.execute("UPDATE positions SET last = ?1", transaction.lastPosition)
        try connection.execute("DELETE FROM sample_pages WHERE series_id = ?1", series)
        transaction.ids.removeAll(series: series)
        if type == "steps" {
            transaction.lineChanges.append(.empty(user, lastPosition: transaction.lastPosition))
        }
        return (alive ?? nil) ?? 0
    }
}
