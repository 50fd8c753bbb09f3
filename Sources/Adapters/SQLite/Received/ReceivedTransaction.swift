import HealthSyncDomain

/// The write transaction that is open, what is remembered between them, and what is to follow it. Belongs to the
/// writer's thread.
final class ReceivedTransaction {
    let connection: SQLiteConnection
    /// Which ids are stored.
    let ids: SampleIDIndex
    // What clients name is kept in memory up to a bound: row ids can be read again.
    private static let largestMemory = 10_000
    private var users: [UserName: Int64] = [:]
    private var series: [Series: Int64] = [:]
    private var origins: [ReceivedOrigin: Int64] = [:]
    /// The last position that was given to a sample.
    private(set) var lastPosition: Int64
    /// New samples that are to be written before the commit.
    var unwritten = UnwrittenSamples()
    /// Changes of `steps.jsonl` that follow the commit, in order.
    var lineChanges: [LineChange] = []

    private struct Series: Hashable {
        var user: UserName
        var type: String
    }

    init(connection: SQLiteConnection) throws {
        self.connection = connection
        ids = SampleIDIndex(connection: connection)
        lastPosition = try ReceivedSamplePages.lastPosition(over: connection)
    }

    /// Writes the new samples as pages.
    func writeSamples() throws { try unwritten.write(over: connection) }

    /// Forgets what a rollback may have taken away.
    func rollBack() {
        unwritten.forget()
        ids.rollBack()
        users.removeAll()
        series.removeAll()
        origins.removeAll()
    }

    /// The first of `count` positions in a row that were never given.
    func takePositions(_ count: Int) -> Int64 {
        defer { lastPosition += Int64(count) }
        return lastPosition + 1
    }

    /// The row of `user`, made where it is missing.
    func row(of user: UserName) throws -> Int64 {
        if let known = users[user] { return known }
        try connection.execute("INSERT INTO users (name) VALUES (?1) ON CONFLICT DO NOTHING", user.text)
        let row = try connection.first("SELECT user_id FROM users WHERE name = ?1", user.text) { try $0.integer() }
        guard let row else { throw SQLiteFailure.damaged(connection.path, "a user that was added is not there") }
        if users.count >= Self.largestMemory { users.removeAll() }
        users[user] = row
        return row
    }

    /// The row of the user's samples of `type`, made where it is missing.
    func row(of type: String, user: UserName) throws -> Int64 {
        let key = Series(user: user, type: type)
        if let known = series[key] { return known }
        let userRow = try row(of: user)
        try connection.execute(
            "INSERT INTO series (user_id, type) VALUES (?1, ?2) ON CONFLICT DO NOTHING", userRow, type)
        let row = try connection.first(
            "SELECT series_id FROM series WHERE user_id = ?1 AND type = ?2", userRow, type
        ) { try $0.integer() }
        guard let row else { throw SQLiteFailure.damaged(connection.path, "a series that was added is not there") }
        if series.count >= Self.largestMemory { series.removeAll() }
        series[key] = row
        return row
    }

    /// The row of `origin`, made where it is missing.
    func row(of origin: ReceivedOrigin) throws -> Int64 {
        if let known = origins[origin] { return known }
        try connection.execute(
            "INSERT INTO origins (bundle_id, device_name, unit) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            origin.bundleID, origin.deviceName, origin.unit)
        let row = try connection.first(
            "SELECT origin_id FROM origins WHERE bundle_id = ?1 AND device_name IS ?2 AND unit = ?3",
            origin.bundleID, origin.deviceName, origin.unit
        ) { try $0.integer() }
        guard let row else { throw SQLiteFailure.damaged(connection.path, "an origin that was added is not there") }
        if origins.count >= Self.largestMemory { origins.removeAll() }
        origins[origin] = row
        return row
    }
}
