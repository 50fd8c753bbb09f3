import CHealthSyncPQ

/// The client library of PostgreSQL.
package enum PostgresLibrary {
    /// The version of the loaded libpq, such as `15.6`.
    package static var version: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }
}
