import HealthSyncDomain

/// Stores samples: decides which are new and which replace others, and assigns positions.
struct ReceivedSampleWriting {
    private let transaction: ReceivedTransaction
    private let series: Int64
    private let index: SeriesIndex
    /// The number of recent samples of the series before this write.
    private let countBefore: Int
    /// The revisions that the request gives samples that are stored and not recent.
    private var revised: [SampleID: RecentIDs.Revision] = [:]
    private var created = ReceivedColumns()
    private var replaced: [ReceivedSamplePages.Replacement] = []

    private init(series: Int64, in transaction: ReceivedTransaction) throws {
        self.transaction = transaction
        self.series = series
        if !transaction.ids.knows(series) { try transaction.writeSamples() }
        index = try transaction.ids.index(of: series)
        countBefore = index.recent.count
    }

    /// Stores `batch` and decides each sample with `StoreOutcome.of`; `line` encodes a new sample for `steps.jsonl`.
    static func store(
        _ batch: ReceivedSampleBatch, type: String, user: UserName, in transaction: ReceivedTransaction,
        line: SQLiteReceivedDataStore.LineEncoder?
    ) throws -> [StoreOutcome] {
        let origins = try batch.origins.map { try transaction.row(of: $0) }
        var writing = try Self(series: try transaction.row(of: type, user: user), in: transaction)
        let previous = writing.index.lastPosition
        let outcomes = try writing.decide(batch.samples, origins: origins)
        try writing.finish()
        if let line {
            var lines: [UInt8] = []
            for (sample, outcome) in zip(batch.samples, outcomes) where outcome == .created && !sample.isDeleted {
                lines += line(sample, batch.origin(of: sample))
            }
            transaction.lineChanges.append(
                .append(user, lines: lines, after: previous, lastPosition: writing.index.lastPosition))
        }
        return outcomes
    }

    private mutating func decide(_ samples: [ReceivedSample], origins: [Int64]) throws -> [StoreOutcome] {
        let hashes = index.hashes(of: samples)
        let stored = try index.stored(samples, hashes: hashes)
        created.reserve(samples.count)
        var outcomes: [StoreOutcome] = []
        outcomes.reserveCapacity(samples.count)
        for (place, sample) in samples.enumerated() {
            let origin = origins.indices.contains(sample.origin) ? origins[sample.origin] : 0
            if !stored.isEmpty, let known = stored[place] {
                outcomes.append(replace(known, by: sample, origin: origin))
            } else {
                outcomes.append(try decide(sample, hash: hashes[place].hash, origin: origin))
            }
        }
        return outcomes
    }

    private mutating func replace(_ known: StoredSample, by sample: ReceivedSample, origin: Int64) -> StoreOutcome {
        let revision = revised.isEmpty ? known.revision : revised[sample.id] ?? known.revision
        let outcome = Self.outcome(of: sample, over: revision)
        guard outcome == .updated else { return outcome }
        revised[sample.id] = Self.revision(of: sample)
        replaced.append((known.position, sample, origin))
        return outcome
    }

    private mutating func decide(_ sample: ReceivedSample, hash: UInt64, origin: Int64) throws -> StoreOutcome {
        guard let ordinal = index.insert(sample.id, hash: hash) else {
            index.set(Self.revision(of: sample), of: index.recent.count - 1)
            created.append(sample, origin: origin)
            return .created
        }
        let outcome = Self.outcome(of: sample, over: index.recent.revision(of: ordinal))
        guard outcome == .updated else { return outcome }
        index.set(Self.revision(of: sample), of: ordinal)
        if ordinal >= countBefore {
            created.replace(at: ordinal - countBefore, by: sample, origin: origin)
        } else if let position = index.recent.position(of: ordinal) {
            replaced.append((position, sample, origin))
        } else {
            throw SQLiteFailure.damaged(transaction.connection.path, "a sample has no position")
        }
        return outcome
    }

    private static func outcome(of sample: ReceivedSample, over known: RecentIDs.Revision) -> StoreOutcome {
        StoreOutcome.of(
            revision: sample.revision, isDeleted: sample.isDeleted, over: (known.number, known.isDeleted))
    }

    private static func revision(of sample: ReceivedSample) -> RecentIDs.Revision {
        RecentIDs.Revision(number: sample.revision, isDeleted: sample.isDeleted)
    }

    private func finish() throws {
        if created.count > 0 {
            let position = try index.assignPositions(to: created.count, from: countBefore)
            transaction.unwritten.append(created, series: series, at: position)
        }
        let written = replaced.filter { revision in
            !transaction.unwritten.replace(
                at: revision.position, of: series, by: revision.sample, origin: revision.origin)
        }
        guard !written.isEmpty else { return }
        transaction.willRewrite(series)
        try ReceivedSamplePages.replace(written, series: series, over: transaction.connection)
    }

    /// Removes all samples of a type; returns how many were not yet deleted.
    static func removeAll(type: String, user: UserName, in transaction: ReceivedTransaction) throws -> Int {
        let connection = transaction.connection
        try transaction.writeSamples()
        let series = try transaction.row(of: type, user: user)
        let index = try transaction.ids.index(of: series)
        let alive = try SampleSumRows.count(of: series, over: connection)
        transaction.willRewrite(series)
        try index.removeAll()
        try connection.execute("DELETE FROM sample_pages WHERE series_id = ?1", series)
        try connection.execute("DELETE FROM sample_sums WHERE series_id = ?1", series)
        transaction.ids.forget(series)
        if type == "steps" {
            transaction.lineChanges.append(.empty(user, lastPosition: index.lastPosition))
        }
        return alive
    }
}

/// New samples of the current commit that are not yet in a page. The samples of a series share pages across requests and
/// commits, because queries decode whole pages, and a page of ten samples takes almost as long as one of a thousand.
struct UnwrittenSamples {
    /// Samples of a series at consecutive positions.
    private struct Run {
        let series: Int64
        var firstPosition: Int64
        var columns: ReceivedColumns

        var end: Int64 { firstPosition + Int64(columns.count) }
    }

    /// The number of samples from which a page is no longer extended.
    static let largeEnough = 1_024

    private var runs: [Run] = []
    /// The index of the last run of each series.
    private var lastRuns: [Int64: Int] = [:]
    private(set) var count = 0
    /// A counter of changes, to detect whether there was any.
    private(set) var changes = 0

    /// Appends new samples, the first of which is at `position`.
    mutating func append(_ columns: ReceivedColumns, series: Int64, at position: Int64) {
        changes += 1
        count += columns.count
        if let last = lastRuns[series], runs[last].end == position {
            runs[last].columns.append(columns)
        } else {
            lastRuns[series] = runs.count
            runs.append(Run(series: series, firstPosition: position, columns: columns))
        }
    }

    /// Replaces the sample of a series at `position` with another revision; returns `false` if it is not here.
    mutating func replace(at position: Int64, of series: Int64, by sample: ReceivedSample, origin: Int64) -> Bool {
        guard lastRuns[series] != nil,
            let index = runs.firstIndex(where: {
                $0.series == series && $0.firstPosition <= position && position < $0.end
            })
        else { return false }
        changes += 1
        runs[index].columns.replace(at: Int(position - runs[index].firstPosition), by: sample, origin: origin)
        return true
    }

    /// Writes all samples as pages.
    mutating func write(over connection: SQLiteConnection) throws {
        guard !runs.isEmpty else { return }
        changes += 1
        for var run in runs {
            var sums = SampleSumChanges()
            sums.add(run.columns)
            try SampleSumRows.apply(sums, series: run.series, over: connection)
            try Self.mergePages(into: &run, over: connection)
            var position = run.firstPosition
            for page in run.columns.pages() {
                try ReceivedSamplePages.insert(page, series: run.series, at: position, over: connection)
                position += Int64(page.count)
            }
        }
        forget()
    }

    /// Merges pages into `run` that end where it begins and are no larger than it. Page sizes double this way, so a
    /// sample is rewritten only a few times until its page is large enough.
    private static func mergePages(into run: inout Run, over connection: SQLiteConnection) throws {
        while run.columns.count < largeEnough,
            let last = try ReceivedSamplePages.last(of: run.series, over: connection),
            last.firstPosition + Int64(last.count) == run.firstPosition, last.count <= run.columns.count,
            var page = try ReceivedSamplePages.remove(at: last.firstPosition, over: connection)
        {
            page.columns.append(run.columns)
            run.firstPosition = page.firstPosition
            run.columns = page.columns
        }
    }

    /// Discards all samples after a rollback.
    mutating func forget() {
        runs.removeAll(keepingCapacity: true)
        lastRuns.removeAll(keepingCapacity: true)
        count = 0
    }
}
