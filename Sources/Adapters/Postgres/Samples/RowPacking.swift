import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Packs samples that an earlier version stored as rows into pages, in transactions that each concern one series.
/// Several processes may do so at once, and any of them may be interrupted: `rows_after` of a series separates what is
/// packed from what is not, and changes in the transaction that stores the pages.
struct RowPacking {
    /// The advisory lock `HSPR`, so that several servers pack one batch at a time.
    private static let lock: Int64 = 0x4853_5052
    /// The number of rows in a transaction, during which the user cannot store anything.
    static let largestBatch = 4 * ReceivedColumns.largestPage

    private let batch: Int
    /// The series that was packed last.
    private var place: (userRow: Int32, series: Int32) = (0, 0)

    /// - Parameter batch: the number of rows in a transaction.
    init(batch: Int) { self.batch = batch }

    /// Packs a batch. After the last one drops the table of rows and returns `false`.
    mutating func packNext(in session: PostgresSession) throws -> Bool {
        guard let next = try nextSeries(in: session) else {
            guard try dropTable(in: session) else {
                place = (0, 0)
                return true
            }
            return false
        }
        place = next
        let answers = try session.connection.run([
            .begin, PostgresCommand("SELECT pg_advisory_xact_lock($1)", .int8(Self.lock)), .lock(next.userRow),
            SeriesState.select([next.series]).command(userRow: next.userRow),
        ])
        guard var state = try answers.last?.first({ try SeriesState(&$0) }), let rowsAfter = state.rowsAfter else {
            session.connection.rollBack()
            return true
        }
        let select = SampleRowCommands(series: next.series, rowsAfter: rowsAfter)
            .rows(after: rowsAfter, limit: batch)
        let rows = try session.connection.run([select.command(userRow: next.userRow)]).last?.map {
            try StoredSampleRow(&$0)
        }
        let pages = Self.pages(of: rows ?? [])
        state.change += 1
        state.alive += Int64(pages.reduce(0) { $0 + $1.columns.digest(in: nil).count })
        state.rowsAfter = (rows?.count ?? 0) < batch ? nil : rows?.last?.position
        let commands = PageCommands(series: next.series)
        try session.connection.run(
            (pages.map { commands.insert($0, change: state.change) } + [state.update])
                .map { $0.command(userRow: next.userRow) } + [.commit])
        return true
    }

    private func nextSeries(in session: PostgresSession) throws -> (userRow: Int32, series: Int32)? {
        try session.connection.run(
            """
            SELECT user_id, series_id FROM series WHERE (user_id, series_id) >= ($1, $2) AND rows_after IS NOT NULL
            ORDER BY user_id, series_id LIMIT 1
            """, .int4(place.userRow), .int4(place.series)
        ).first { (userRow: try $0.int4(), series: try $0.int4()) }
    }

    /// Drops the table of rows if it contains no unpacked row; returns whether it does not.
    private func dropTable(in session: PostgresSession) throws -> Bool {
        let answers = try session.connection.run([
            .begin, PostgresCommand("SELECT pg_advisory_xact_lock($1)", .int8(Self.lock)),
            PostgresCommand("SELECT count(*) FROM series WHERE rows_after IS NOT NULL"),
        ])
        guard try answers.last?.first({ try $0.integer() }) == 0 else {
            session.connection.rollBack()
            return false
        }
        try session.connection.execute("DROP TABLE IF EXISTS sample_rows")
        try session.connection.run([.commit])
        return true
    }

    private static func pages(of rows: [StoredSampleRow]) -> [PositionedPage] {
        var pages: [PositionedPage] = []
        for row in rows {
            // Without a copy of the page, because appending to its columns would then copy them.
            let index = pages.count - 1
            let isFull = index < 0 || pages[index].columns.count >= ReceivedColumns.largestPage
            if !isFull, let offset = UInt32(exactly: row.position - pages[index].firstPosition) {
                pages[index].offsets?.append(offset)
                pages[index].columns.append(row.sample, origin: row.origin)
            } else {
                var columns = ReceivedColumns()
                columns.append(row.sample, origin: row.origin)
                pages.append(PositionedPage(firstPosition: row.position, offsets: [0], columns: columns))
            }
        }
        for index in pages.indices where pages[index].span.isConsecutive { pages[index].offsets = nil }
        return pages
    }
}

/// Packs rows of an earlier version into pages in the background.
final class PackingTask: Sendable {
    private let worker: PostgresWorker
    private let batch: Int
    private let isStopped = CancellationFlag()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter batch: the number of rows in a transaction.
    init(_ worker: PostgresWorker, batch: Int) {
        self.worker = worker
        self.batch = batch
    }

    /// Begins to pack, unless it is in progress. After an error it ends, and can be started again.
    func start() {
        task.withLock { task in
            guard task == nil else { return }
            // Unstructured: it continues while requests are served, and `stop` waits for it.
            task = Task {
                try? await worker.packAll(batch: batch, until: isStopped)
                self.task.withLock { $0 = nil }
            }
        }
    }

    /// Packs one batch now; returns `false` if nothing was left.
    func packNext() async throws -> Bool { try await worker.packNext(batch: batch) }

    /// Waits until the work in progress ends.
    func wait() async { await task.withLock { $0 }?.value }

    /// Ends after the current batch, and closes the session.
    func stop() async {
        isStopped.raise()
        await wait()
        await worker.close()
    }
}

extension PostgresWorker {
    fileprivate func packNext(batch: Int) throws -> Bool {
        try perform { session in
            var packing = RowPacking(batch: batch)
            return try packing.packNext(in: session)
        }
    }

    /// Packs all rows. Throws `CancellationError` once the flag is raised.
    fileprivate func packAll(batch: Int, until flag: CancellationFlag) throws {
        var packing = RowPacking(batch: batch)
        repeat { try flag.check() } while try attempt { try packing.packNext(in: $0) }
    }
}
