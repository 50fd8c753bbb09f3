import HealthSyncDomain

/// Queries on the samples of one series, within a transaction that reads one state of the database.
struct SeriesReading {
    private let userRow: Int32
    private let state: SeriesState
    private let connection: PostgresConnection

    /// Runs `body` in a transaction; returns `nil` if the user has no samples of the type.
    static func read<Result>(
        _ type: String, user: UserName, in session: PostgresSession, _ body: (SeriesReading) throws -> Result
    ) throws -> Result? {
        guard let userRow = try session.rows.knownRow(of: user),
            let series = try session.rows.knownRow(of: type, userRow: userRow)
        else { return nil }
        let answers = try session.connection.run([
            .beginReading, SeriesState.select([series]).command(userRow: userRow),
        ])
        guard let state = try answers.last?.first({ try SeriesState(&$0) }) else {
            session.connection.rollBack()
            return nil
        }
        let result = try body(SeriesReading(userRow: userRow, state: state, connection: session.connection))
        try session.connection.run([.commit])
        return result
    }

    /// Returns the number of samples that start within `interval`.
    func count(in interval: InstantRange?) throws -> Int {
        let inRows = try table.flatMap { try Self.summary(try one($0.summary(in: interval))) }?.count ?? 0
        guard let interval else { return Int(state.alive) + inRows }
        return try pageDigests(in: [interval])[0].count + inRows
    }

    /// Returns the first and last start of the samples.
    func starts() throws -> ClosedRange<Instant>? {
        let pages = try one(
            UserCommand(
                """
                SELECT min(first_start_ms), max(last_start_ms) FROM sample_pages
                WHERE user_id = $1 AND series_id = $2 AND alive > 0
                """, [.int4(state.series)])
        )?.first { row in (try row.optional { try $0.instant() }, try row.optional { try $0.instant() }) }
        let rows = try table.flatMap { try Self.summary(try one($0.summary(in: nil))) }
        let first = [pages?.0, rows?.firstStart].compactMap(\.self).min()
        guard let first, let last = [pages?.1, rows?.lastStart].compactMap(\.self).max() else { return nil }
        return first...max(first, last)
    }

    /// Returns the digest of the samples that start within each of `intervals`.
    func digests(in intervals: [InstantRange]) throws -> [SampleSetDigest] {
        var digests = try pageDigests(in: intervals)
        guard let table else { return digests }
        for (number, interval) in intervals.enumerated() {
            try connection.stream(table.rows(in: interval).command(userRow: userRow)) { row in
                let sample = try StoredSampleRow(&row).sample
                digests[number].insert(
                    sample.id, start: sample.start.milliseconds, end: sample.end.milliseconds, value: sample.value)
            }
        }
        return digests
    }

    /// Sums the stored digests of pages that no end of an interval divides, and reads each of the others once.
    private func pageDigests(in intervals: [InstantRange]) throws -> [SampleSetDigest] {
        guard let first = intervals.map(\.start).min(), let end = intervals.map(\.end).max() else { return [] }
        var sums = IntervalSums(of: intervals)
        var divided: [Int64] = []
        let pages = UserCommand(
            """
            SELECT first_position, first_start_ms, last_start_ms, alive, digest_high, digest_low, digest_content
            FROM sample_pages
            WHERE user_id = $1 AND series_id = $2 AND alive > 0 AND first_start_ms < $4 AND last_start_ms >= $3
            """, [.int4(state.series), .instant(first), .instant(end)])
        try connection.stream(pages.command(userRow: userRow)) { row in
            let (position, first, last) = (try row.integer(), try row.integer(), try row.integer())
            guard sums.overlaps(first, last) else { return }
            let ids = IntervalDigest(count: Int(try row.integer()), high: try row.bits(), low: try row.bits())
            if !sums.add(SampleSetDigest(ids: ids, content: try row.bits()), first: first, last: last) {
                divided.append(position)
            }
        }
        if !divided.isEmpty {
            let contents = PageCommands(series: state.series).content(of: divided)
            try connection.stream(contents.command(userRow: userRow)) { row in
                let page = try ReadPage(&row)
                do { try sums.add(page.view) { page.ids[$0] } } catch { throw PositionedPage.damaged }
            }
        }
        return intervals.map { sums.digest(of: $0) }
    }

    /// Returns samples in the order of their positions.
    func samples(_ query: SampleQuery) throws -> ReceivedSamplePage {
        var answer = SampleAnswer(after: query.after, interval: query.interval, limit: query.limit)
        // Rows are packed in the order of their positions, so those that are left are between two sets of pages.
        try addPages(to: &answer, through: state.rowsAfter ?? .max)
        if let table {
            try addRows(of: table, to: &answer)
            try addPages(to: &answer, through: .max)
        }
        let origins = answer.originRows
        guard !origins.isEmpty else { return answer.page(origins: [:]) }
        let found = try one(
            UserCommand(
                """
                SELECT origin_id, bundle_id, device_name, unit FROM origins
                WHERE user_id = $1 AND origin_id = ANY ($2::integer[])
                """, [.array(.int4, of: origins) { $0.int4(Int32(clamping: $1)) }]))
        let contents = try found?.map { row in
            let origin = try row.integer()
            return (
                origin,
                ReceivedOrigin(
                    bundleID: try row.text(), deviceName: try row.optional { try $0.text() }, unit: try row.text())
            )
        }
        return answer.page(origins: Dictionary(contents ?? []) { first, _ in first })
    }

    /// The number of pages that are read at once.
    private static let pagesAtOnce = 8

    private func addPages(to answer: inout SampleAnswer, through last: Int64) throws {
        // The first page may contain positions before and after the first requested one.
        let select = """
            SELECT \(PageCommands.content) FROM sample_pages
            WHERE user_id = $1 AND series_id = $2 AND first_position >= greatest($3, (
                    SELECT max(first_position) FROM sample_pages
                    WHERE user_id = $1 AND series_id = $2 AND first_position <= $4))
                AND first_position <= $5 AND alive > 0 AND first_start_ms < $6 AND last_start_ms >= $7
            ORDER BY first_position LIMIT $8
            """
        let interval = answer.interval
        var (first, limit) = (Int64(0), min(Self.pagesAtOnce, 1 + answer.limit / 1_024))
        while !answer.isFull {
            let parameters: [PostgresParameter] = [
                .int4(state.series), .int8(first), .int8(answer.next), .int8(last),
                .int8(interval?.end.milliseconds ?? .max), .int8(interval?.start.milliseconds ?? .min), .int8(limit),
            ]
            let pages = try one(UserCommand(select, parameters))?.map { try PositionedPage(&$0) } ?? []
            for page in pages { answer.add(page) }
            guard pages.count == limit, let end = pages.last else { return }
            (first, limit) = (end.firstPosition + 1, Self.pagesAtOnce)
        }
    }

    private func addRows(of table: SampleRowCommands, to answer: inout SampleAnswer) throws {
        let limit = max(1_024, min(answer.limit, 10_000) + 1)
        while !answer.isFull {
            let rows = try one(table.rows(after: answer.next - 1, limit: limit))?.map { try StoredSampleRow(&$0) } ?? []
            for row in rows { answer.add(row.sample, at: row.position, origin: row.origin) }
            guard rows.count == limit else { return }
        }
    }

    private var table: SampleRowCommands? {
        state.rowsAfter.map { SampleRowCommands(series: state.series, rowsAfter: $0) }
    }

    private func one(_ command: UserCommand) throws -> PostgresRows? {
        try connection.run([command.command(userRow: userRow)]).last
    }

    private typealias Summary = (count: Int, firstStart: Instant?, lastStart: Instant?)

    private static func summary(_ rows: PostgresRows?) throws -> Summary? {
        try rows?.first { row in
            (
                Int(try row.integer()), try row.optional { try $0.instant() }, try row.optional { try $0.instant() }
            )
        }
    }
}

extension SampleQuery {
    /// The interval in which samples start; `nil` for all time.
    var interval: InstantRange? {
        guard from != nil || until != nil else { return nil }
        return InstantRange(
            start: from ?? Instant(milliseconds: .min), end: until ?? Instant(milliseconds: .max))
    }
}

/// A page of samples that is read in place.
private struct ReadPage {
    let ids: SplitIDs
    let view: ReceivedPageView

    /// Reads the columns `PageCommands.content`.
    init(_ row: inout PostgresRow) throws {
        _ = try row.integer()
        _ = try row.optional { try $0.bytes() }
        do {
            ids = try SplitIDs(heads: try row.bytes(), fingerprints: try row.bytes())
            view = try ReceivedPageView(try row.bytes(), count: ids.count)
        } catch is DamagedPage {
            throw PositionedPage.damaged
        }
    }
}

/// A page of samples that is assembled in the order of positions.
private struct SampleAnswer {
    let interval: InstantRange?
    let limit: Int
    /// The first position that was not considered yet.
    private(set) var next: Int64
    /// Whether there are more samples than the limit.
    private(set) var isFull = false
    private var samples: [ReceivedSample] = []
    private var last: Int64?
    /// The indexes of the answer's origins by row.
    private var origins: [Int64: Int] = [:]

    init(after: Int64, interval: InstantRange?, limit: Int) {
        self.interval = interval
        self.limit = limit
        next = after < .max ? after + 1 : after
    }

    /// The rows of all origins in the order of their indexes.
    var originRows: [Int64] { origins.sorted { $0.value < $1.value }.map(\.key) }

    /// Adds the matching samples of a stored page.
    mutating func add(_ page: PositionedPage) {
        for index in page.index(from: next)..<page.columns.count where !isFull {
            if page.columns.isAlive(at: index, in: interval) {
                add(
                    page.columns.sample(at: index, origin: 0), at: page.position(at: index),
                    origin: page.columns.origins[index])
            }
        }
        if !isFull { next = max(next, page.span.last + 1) }
    }

    /// Adds a stored sample if it matches. `origin` is the row of its origin; 0 for none.
    mutating func add(_ sample: ReceivedSample, at position: Int64, origin: Int64) {
        guard !isFull else { return }
        guard matches(sample) else {
            next = position + 1
            return
        }
        guard samples.count < limit else {
            isFull = true
            return
        }
        var sample = sample
        sample.origin = -1
        if origin != 0 {
            sample.origin = origins[origin] ?? origins.count
            origins[origin] = sample.origin
        }
        samples.append(sample)
        last = position
        next = position + 1
    }

    private func matches(_ sample: ReceivedSample) -> Bool {
        guard !sample.isDeleted, let interval else { return !sample.isDeleted }
        return sample.start >= interval.start && sample.start < interval.end
    }

    /// Returns the answer with the contents of its origins.
    func page(origins contents: [Int64: ReceivedOrigin]) -> ReceivedSamplePage {
        let missing = ReceivedOrigin(bundleID: "", deviceName: nil, unit: "")
        return ReceivedSamplePage(
            batch: ReceivedSampleBatch(origins: originRows.map { contents[$0] ?? missing }, samples: samples),
            next: isFull ? last : nil)
    }
}
