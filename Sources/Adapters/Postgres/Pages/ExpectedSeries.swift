import HealthSyncDomain

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
