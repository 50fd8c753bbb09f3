import HealthSyncDomain

/// The state of a series, which changes only under the lock of its user.
struct SeriesState: Sendable {
    let series: Int32
    /// The number of changes of the series so far.
    var change: Int64
    /// The number of the change that last removed all samples; 0 if none did.
    var emptied: Int64
    /// The last position assigned to a sample.
    var lastPosition: Int64
    /// The number of samples in pages that are not deleted.
    var alive: Int64
    /// The position after which samples are still rows; `nil` if there are no rows.
    var rowsAfter: Int64?

    /// Reads the columns of `select`.
    init(_ row: inout PostgresRow) throws {
        series = try row.int4()
        change = try row.integer()
        emptied = try row.integer()
        lastPosition = try row.integer()
        alive = try row.integer()
        rowsAfter = try row.optional { try $0.integer() }
    }

    static func select(_ series: some Collection<Int32>) -> UserCommand {
        UserCommand(
            """
            SELECT series_id, change, emptied, last_position, alive, rows_after FROM series
            WHERE user_id = $1 AND series_id = ANY ($2::integer[])
            """, [.array(.int4, of: series) { $0.int4($1) }])
    }

    var update: UserCommand {
        UserCommand(
            """
            UPDATE series SET change = $3, emptied = $4, last_position = $5, alive = $6, rows_after = $7
            WHERE user_id = $1 AND series_id = $2
            """, values)
    }

    /// Stores the state if the series is as `expected`; returns a row if it was.
    func update(if expected: ExpectedSeries) -> UserCommand {
        UserCommand(
            """
            UPDATE series SET change = $3, emptied = $4, last_position = $5, alive = $6, rows_after = $7
            WHERE user_id = $1 AND series_id = $2 AND \(ExpectedSeries.condition(change: 8, epoch: 9))
            RETURNING series_id
            """, values + expected.parameters)
    }

    private var values: [PostgresParameter] {
        [
            .int4(series), .int8(change), .int8(emptied), .int8(lastPosition), .int8(alive),
            rowsAfter.map { .int8($0) } ?? .null,
        ]
    }
}
