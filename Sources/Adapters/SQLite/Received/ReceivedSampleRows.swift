import HealthSyncDomain

/// Samples in the table `samples`.
enum ReceivedSampleRows {
    /// Stores `batch` by `StoreOutcome.of`; `line` makes the line of a new sample for `steps.jsonl`.
    static func store(
        _ batch: ReceivedSampleBatch, type: String, user: UserName, in transaction: ReceivedTransaction,
        line: SQLiteReceivedDataStore.LineEncoder?
    ) throws -> [StoreOutcome] {
        let series = try transaction.row(of: type, user: user)
        let origins = try batch.origins.map { try transaction.row(of: $0) }
        let base = transaction.takePositions(batch.samples.count)
        var outcomes: [StoreOutcome] = []
        outcomes.reserveCapacity(batch.samples.count)
        for (index, sample) in batch.samples.enumerated() {
            let origin = origins.indices.contains(sample.origin) ? origins[sample.origin] : nil
            outcomes.append(
                try store(sample, at: base + Int64(index), series: series, origin: origin, in: transaction))
        }
        if let line {
            var lines: [UInt8] = []
            for (sample, outcome) in zip(batch.samples, outcomes) where outcome == .created && !sample.isDeleted {
                lines += line(sample, batch.origin(of: sample))
            }
            if !lines.isEmpty {
                transaction.lineChanges.append(.append(user, lines: lines, lastPosition: transaction.lastPosition))
            }
        }
        return outcomes
    }

    private static func store(
        _ sample: ReceivedSample, at position: Int64, series: Int64, origin: Int64?,
        in transaction: ReceivedTransaction
    ) throws -> StoreOutcome {
        let connection = transaction.connection
        guard let place = try transaction.ids.position(of: sample.id, series: series) else {
            try connection.execute(
                """
                INSERT INTO samples (position, series_id, id, start_ms, end_ms, value, origin_id, revision, is_deleted,
                    is_uppercase)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                """, position, series, sample.id.storedBytes, sample.start, sample.end, sample.value, origin,
                sample.revision, sample.isDeleted, sample.isUppercase)
            transaction.ids.note(sample.id, series: series, at: position)
            return .created
        }
        let known = try connection.first("SELECT revision, is_deleted FROM samples WHERE position = ?1", place) {
            (revision: try $0.integer(), isDeleted: try $0.bool())
        }
        guard let known else { throw SQLiteFailure.damaged(connection.path, "a sample is in the index alone") }
        let outcome = StoreOutcome.of(
            revision: sample.revision, isDeleted: sample.isDeleted, over: known)
        guard outcome == .updated else { return outcome }
        try connection.execute(
            """
            UPDATE samples SET start_ms = ?2, end_ms = ?3, value = ?4, origin_id = ?5, revision = ?6, is_deleted = ?7,
                is_uppercase = ?8
            WHERE position = ?1
            """, place, sample.start, sample.end, sample.value, origin, sample.revision, sample.isDeleted,
            sample.isUppercase)
        return outcome
    }

    /// Removes all samples of a type; returns how many were not deleted before.
    static func removeAll(type: String, user: UserName, in transaction: ReceivedTransaction) throws -> Int {
        let connection = transaction.connection
        let series = try transaction.row(of: type, user: user)
        let alive = try connection.first(
            "SELECT count(*) FROM samples WHERE series_id = ?1 AND is_deleted = 0", series
        ) { try $0.int() }
        try connection.execute("DELETE FROM samples WHERE series_id = ?1", series)
        try transaction.ids.removeAll(series: series)
        if type == "steps" {
            transaction.lineChanges.append(.empty(user, lastPosition: transaction.lastPosition))
        }
        return alive ?? 0
    }

    /// The columns that `sample` reads.
    static let columns = """
        s.position, s.id, s.start_ms, s.end_ms, s.value, s.revision, s.is_uppercase, o.origin_id, o.bundle_id,
        o.device_name, o.unit
        """

    /// A stored sample with its position; its origin goes into `batch`.
    static func sample(
        _ row: SQLiteStatement, into batch: inout ReceivedSampleBatch, origins: inout [Int64: Int]
    ) throws -> Int64 {
        let position = try row.integer()
        let digest = try row.digest()
        var sample = ReceivedSample(
            id: SampleID(high: digest.high, low: digest.low), start: try row.instant(), end: try row.instant(),
            value: try row.real(), revision: try row.integer(), isUppercase: try row.bool())
        if let originRow = try row.optional({ try $0.integer() }) {
            let bundleID = try row.text()
            let deviceName = try row.optional { try $0.text() }
            let unit = try row.text()
            if let index = origins[originRow] {
                sample.origin = index
            } else {
                sample.origin = batch.origins.count
                origins[originRow] = sample.origin
                batch.origins.append(ReceivedOrigin(bundleID: bundleID, deviceName: deviceName, unit: unit))
            }
        }
        batch.samples.append(sample)
        return position
    }
}

extension SampleID {
    /// The 16 bytes under which a sample is kept.
    var storedBytes: ContentDigest { ContentDigest(high: high, low: low) }
}
