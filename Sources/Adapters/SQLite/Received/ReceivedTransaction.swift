import HealthSyncDomain

/// The open write transaction, the state kept between transactions, and the work to do after the commit. Belongs to the
/// writer's thread.
final class ReceivedTransaction {
    let connection: SQLiteConnection
    /// The stored ids.
    let ids: SampleIDIndex
    // Bounds the caches of names from clients; row ids can be read again.
    private static let cacheLimit = 10_000
    private var users: [UserName: Int64] = [:]
    private var series: [Series: Int64] = [:]
    private var origins: [ReceivedOrigin: Int64] = [:]
    /// New samples to write before the commit.
    var unwritten = UnwrittenSamples()
    /// Changes of `steps.jsonl` to make after the commit, in order.
    var lineChanges: [LineChange] = []
    private let rewrites: SeriesRewrites
    /// The series whose stored samples the transaction replaces or removes.
    private var rewritten: Set<Int64> = []

    private struct Series: Hashable {
        var user: UserName
        var type: String
    }

    init(connection: SQLiteConnection, rewrites: SeriesRewrites) throws {
        self.connection = connection
        self.rewrites = rewrites
        ids = try SampleIDIndex(connection: connection)
    }

    /// Writes the new samples as pages.
    func writeSamples() throws { try unwritten.write(over: connection) }

    /// Writes the new samples as pages and their ids to the index. Must not be called while a request is being made.
    func writeSamplesAndIDs() throws {
        try writeSamples()
        try ids.flush()
    }

    /// Discards state that a rollback may have undone.
    func rollBack() {
        unwritten.forget()
        ids.rollBack()
        users.removeAll()
        series.removeAll()
        origins.removeAll()
    }

    /// Notes that stored samples of a series are about to be replaced or removed.
    func willRewrite(_ series: Int64) {
        if rewritten.insert(series).inserted { rewrites.begin(series) }
    }

    /// Notes that the transaction was committed or rolled back.
    func endRewriting() {
        rewrites.end(rewritten)
        rewritten.removeAll()
    }

    /// Returns the row id of `user`; inserts the row if it is missing.
    func row(of user: UserName) throws -> Int64 {
        if let known = users[user] { return known }
        try connection.execute("INSERT INTO users (name) VALUES (?1) ON CONFLICT DO NOTHING", user.text)
        let row = try connection.first("SELECT user_id FROM users WHERE name = ?1", user.text) { try $0.integer() }
        guard let row else { throw SQLiteFailure.damaged(connection.path, "an inserted user is missing") }
        if users.count >= Self.cacheLimit { users.removeAll() }
        users[user] = row
        return row
    }

    /// Returns the row id of the user's samples of `type`; inserts the row if it is missing.
    func row(of type: String, user: UserName) throws -> Int64 {
        let key = Series(user: user, type: type)
        if let known = series[key] { return known }
        let userRow = try row(of: user)
        try connection.execute(
            "INSERT INTO series (user_id, type) VALUES (?1, ?2) ON CONFLICT DO NOTHING", userRow, type)
        let row = try connection.first(
            "SELECT series_id FROM series WHERE user_id = ?1 AND type = ?2", userRow, type
        ) { try $0.integer() }
        guard let row else { throw SQLiteFailure.damaged(connection.path, "an inserted series is missing") }
        if series.count >= Self.cacheLimit { series.removeAll() }
        series[key] = row
        return row
    }

    /// Returns the row id of `origin`; inserts the row if it is missing.
    func row(of origin: ReceivedOrigin) throws -> Int64 {
        if let known = origins[origin] { return known }
        try connection.execute(
            "INSERT INTO origins (bundle_id, device_name, unit) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            origin.bundleID, origin.deviceName, origin.unit)
        let row = try connection.first(
            "SELECT origin_id FROM origins WHERE bundle_id = ?1 AND device_name IS ?2 AND unit = ?3",
            origin.bundleID, origin.deviceName, origin.unit
        ) { try $0.integer() }
        guard let row else { throw SQLiteFailure.damaged(connection.path, "an inserted origin is missing") }
        if origins.count >= Self.cacheLimit { origins.removeAll() }
        origins[origin] = row
        return row
    }
}
