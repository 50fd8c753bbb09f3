import HealthSyncDomain

/// A connection and the row ids cached for it. Belongs to one thread.
final class PostgresSession {
    let connection: PostgresConnection
    let rows: KnownRows

    init(to address: PostgresAddress) throws {
        connection = try PostgresConnection(to: address)
        rows = KnownRows(connection: connection)
    }
}
