import HealthSyncDomain

/// Statements on the pages of one series.
struct PageCommands {
    let series: Int32

    /// The columns that `PositionedPage` reads.
    static let content = "first_position, offsets, id_heads, fingerprints, columns"

    /// The fingerprints of the pages that were written after a change: first position, offsets, fingerprints.
    func fingerprints(after change: Int64) -> UserCommand {
        UserCommand(
            """
            SELECT first_position, offsets, fingerprints FROM sample_pages
            WHERE user_id = $1 AND series_id = $2 AND change > $3 ORDER BY first_position
            """, [.int4(series), .int8(change)])
    }

    /// What decides whether ids are stored: first position, offsets, id heads, fingerprints and, if a sample of the page
    /// is deleted or has a revision other than 0, the columns.
    func ids(of pages: some Collection<Int64>) -> UserCommand {
        UserCommand(
            """
            SELECT first_position, offsets, id_heads, fingerprints, CASE WHEN revised > 0 THEN columns END
            FROM sample_pages WHERE user_id = $1 AND series_id = $2 AND first_position = ANY ($3::bigint[])
            """, [.int4(series), .array(.int8, of: pages) { $0.int8($1) }])
    }

    /// Whole pages.
    func content(of pages: some Collection<Int64>) -> UserCommand {
        UserCommand(
            """
            SELECT \(Self.content) FROM sample_pages
            WHERE user_id = $1 AND series_id = $2 AND first_position = ANY ($3::bigint[])
            """, [.int4(series), .array(.int8, of: pages) { $0.int8($1) }])
    }

    func delete(_ pages: some Collection<Int64>) -> UserCommand {
        UserCommand(
            """
            DELETE FROM sample_pages WHERE user_id = $1 AND series_id = $2 AND first_position = ANY ($3::bigint[])
            """, [.int4(series), .array(.int8, of: pages) { $0.int8($1) }])
    }

    /// Inserts a page; with `expected`, only if the series is in this state.
    func insert(_ page: PositionedPage, change: Int64, if expected: ExpectedSeries? = nil) -> UserCommand {
        let ids = SplitIDs(page.columns.ids)
        let condition = expected.map { _ in "WHERE " + ExpectedSeries.condition(change: 18, epoch: 19) } ?? ""
        return UserCommand(
            """
            INSERT INTO sample_pages (user_id, series_id, first_position, change, alive, revised, first_start_ms,
                last_start_ms, last_end_ms, digest_high, digest_low, digest_content, columns, count, offsets, id_heads,
                fingerprints)
            SELECT $1::integer, $2::integer, $3::bigint, $4::bigint, $5::integer, $6::integer, $7::bigint, $8::bigint,
                $9::bigint, $10::bigint, $11::bigint, $12::bigint, $13::bytea, $14::integer, $15::bytea, $16::bytea,
                $17::bytea
            \(condition)
            """,
            values(of: page, change: change) + [
                .int4(Int32(clamping: page.columns.count)),
                page.encodedOffsets.map { .bytea($0) } ?? .null, .bytea(ids.heads), .bytea(ids.fingerprints),
            ] + (expected?.parameters ?? []))
    }

    /// Replaces everything except ids and positions, which then need not be written again.
    func update(_ page: PositionedPage, change: Int64) -> UserCommand {
        UserCommand(
            """
            UPDATE sample_pages SET change = $4, alive = $5, revised = $6, first_start_ms = $7, last_start_ms = $8,
                last_end_ms = $9, digest_high = $10, digest_low = $11, digest_content = $12, columns = $13
            WHERE user_id = $1 AND series_id = $2 AND first_position = $3
            """, values(of: page, change: change))
    }

    private func values(of page: PositionedPage, change: Int64) -> [PostgresParameter] {
        let summary = ReceivedPageSummary(of: page.columns)
        let digest = page.columns.setDigest(in: nil)
        return [
            .int4(series), .int8(page.firstPosition), .int8(change), .int4(Int32(clamping: digest.count)),
            .int4(Int32(clamping: summary.revised)), .int8(summary.firstStart), .int8(summary.lastStart),
            .int8(summary.lastEnd), .int8(Int64(bitPattern: digest.ids.high)),
            .int8(Int64(bitPattern: digest.ids.low)), .int8(Int64(bitPattern: digest.content)),
            .bytea(ReceivedPageCodec.encode(page.columns)),
        ]
    }
}

/// The state of a series on which the statements of a transaction depend. Each of them changes nothing in another state, so
/// that a writer that was not the last one needs no error to find out. Under the lock of the user they all find the same
/// state until the last of them changes it.
struct ExpectedSeries {
    let change: Int64
    let epoch: String

    /// The condition of a statement with `user_id` as `$1` and `series_id` as `$2`, whose parameters have the given numbers.
    static func condition(change: Int, epoch: Int) -> String {
        """
        EXISTS (SELECT FROM series s JOIN user_locks l USING (user_id)
            WHERE s.user_id = $1 AND s.series_id = $2 AND s.change = $\(change)
                AND substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '/' || l.tableoid = $\(epoch))
        """
    }

    var parameters: [PostgresParameter] { [.int8(change), .text(epoch)] }
}
