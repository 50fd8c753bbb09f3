import CHealthSyncPQ

/// What speaks to PostgreSQL.
package enum PostgresLibrary {
    /// The version of libpq that runs, such as `15.6`.
    package static var version: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }
}
