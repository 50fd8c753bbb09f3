import HealthSyncDomain

/// A connection and the row ids cached for it. Belongs to one thread.
final class PostgresSession {
    let connection: PostgresConnection
    let rows: KnownRows

    init(to address: PostgresAddress) throws {
        connection = try PostgresConnection(to: address)
        rows = KnownRows(connection: connection)
    }

    /// Reuses the plans of statements from now on, except after `PostgresCommand.planEach`. Meant for writing, whose usual
    /// statements find a row by the only index that contains all its conditions.
    func reusePlans() throws {
        // Behind a pooler, no plan lasts longer than its transaction.
        if !connection.isPooled { try connection.execute("SET plan_cache_mode TO force_generic_plan") }
    }
}

/// The cached row ids of users, series and origins. Such rows are never deleted and are inserted in transactions of
/// their own, so the cache stays valid for the session.
final class KnownRows {
    private struct Series: Hashable {
        var userRow: Int32
        var type: String
    }
    private struct Origin: Hashable {
        var userRow: Int32
        /// The content as UTF-8, separated by 0xFE and 0xFF, which never occur in it: canonically equivalent strings
        /// are equal in Swift but not in the database.
        var content: [UInt8]

        init(userRow: Int32, content: ReceivedOrigin) {
            self.userRow = userRow
            self.content = Array(content.bundleID.utf8) + [0xFF]
            self.content += content.deviceName.map { Array($0.utf8) } ?? [0xFE]
            self.content += [0xFF] + Array(content.unit.utf8)
        }
    }

    private static let cacheLimit = 100_000

    private let connection: PostgresConnection
    private var users: [UserName: Int32] = [:]
    private var series: [Series: Int32] = [:]
    private var origins: [Origin: Int32] = [:]

    init(connection: PostgresConnection) { self.connection = connection }

    /// Returns the row id of `user`; `nil` if the user never sent anything.
    func knownRow(of user: UserName) throws -> Int32? {
        if let known = users[user] { return known }
        let rows = try connection.run("SELECT user_id FROM users WHERE name = $1", .text(user.text))
        guard let row = try rows.first({ try $0.int4() }) else { return nil }
        trimCache()
        users[user] = row
        return row
    }

    /// Returns the row id of `user`; inserts the row if it is missing.
    func row(of user: UserName) throws -> Int32 {
        if let known = try knownRow(of: user) { return known }
        try connection.run([
            .begin, PostgresCommand("INSERT INTO users (name) VALUES ($1) ON CONFLICT DO NOTHING", .text(user.text)),
            PostgresCommand(
                """
                INSERT INTO user_locks (user_id) SELECT user_id FROM users WHERE name = $1 ON CONFLICT DO NOTHING
                """, .text(user.text)), .commit,
        ])
        return try found(knownRow(of: user))
    }

    /// Returns the row id of a user's samples of `type`; `nil` if there never were any.
    func knownRow(of type: String, userRow: Int32) throws -> Int32? {
        let key = Series(userRow: userRow, type: type)
        if let known = series[key] { return known }
        let rows = try connection.run(
            "SELECT series_id FROM series WHERE user_id = $1 AND type = $2", .int4(userRow), .text(type))
        guard let row = try rows.first({ try $0.int4() }) else { return nil }
        trimCache()
        series[key] = row
        return row
    }

    /// Returns the row id of a user's samples of `type`; inserts the row if it is missing.
    func row(of type: String, userRow: Int32) throws -> Int32 {
        if let known = try knownRow(of: type, userRow: userRow) { return known }
        try connection.run(
            "INSERT INTO series (user_id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING", .int4(userRow), .text(type))
        return try found(knownRow(of: type, userRow: userRow))
    }

    /// Returns the row ids of `contents` in their order; inserts missing rows.
    func rows(of contents: [ReceivedOrigin], userRow: Int32) throws -> [Int32] {
        // The cache is trimmed first, because entries used below must stay until the end.
        trimCache()
        var missing = contents.filter { origins[Origin(userRow: userRow, content: $0)] == nil }
        if !missing.isEmpty {
            try load(missing, from: connection.run([select(missing, userRow: userRow)]).last, userRow: userRow)
            missing = missing.filter { origins[Origin(userRow: userRow, content: $0)] == nil }
        }
        if !missing.isEmpty {
            let insert = """
                INSERT INTO origins (user_id, bundle_id, device_name, unit)
                SELECT DISTINCT $1::integer, n.bundle_id, n.device_name, n.unit
                FROM unnest($2::text[], $3::text[], $4::text[]) AS n (bundle_id, device_name, unit)
                WHERE NOT EXISTS (SELECT FROM origins o WHERE \(Self.isSame))
                """
            // Under the lock no other session can insert the same rows.
            let answers = try connection.run([
                .begin, .lock(userRow), PostgresCommand(insert, Self.parameters(missing, userRow: userRow)),
                select(missing, userRow: userRow), .commit,
            ])
            try load(missing, from: answers.dropLast().last, userRow: userRow)
        }
        return try contents.map { try found(origins[Origin(userRow: userRow, content: $0)]) }
    }

    /// Matches an origin `o` with the content of `n`, in a form that the index supports.
    private static let isSame = """
        o.user_id = $1 AND o.bundle_id = n.bundle_id AND coalesce(o.device_name, '') = coalesce(n.device_name, '')
        AND o.device_name IS NOT DISTINCT FROM n.device_name AND o.unit = n.unit
        """

    private static func parameters(_ contents: [ReceivedOrigin], userRow: Int32) -> [PostgresParameter] {
        [
            .int4(userRow), .array(.text, of: contents) { $0.text($1.bundleID) },
            .array(.text, of: contents) { $0.text($1.deviceName) }, .array(.text, of: contents) { $0.text($1.unit) },
        ]
    }

    private func select(_ contents: [ReceivedOrigin], userRow: Int32) -> PostgresCommand {
        // One index lookup for each: in a join, origins without statistics would each be compared with all.
        let sql = """
            SELECT n.number, o.origin_id
            FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS n (bundle_id, device_name, unit, number)
            CROSS JOIN LATERAL (SELECT min(o.origin_id) AS origin_id FROM origins o WHERE \(Self.isSame)) AS o
            WHERE o.origin_id IS NOT NULL
            """
        return PostgresCommand(sql, Self.parameters(contents, userRow: userRow))
    }

    private func load(_ contents: [ReceivedOrigin], from rows: PostgresRows?, userRow: Int32) throws {
        let found = try rows?.map { row in (number: Int(try row.integer()), row: try row.int4()) } ?? []
        for (number, row) in found where contents.indices.contains(number - 1) {
            origins[Origin(userRow: userRow, content: contents[number - 1])] = row
        }
    }

    private func trimCache() {
        guard users.count + series.count + origins.count > Self.cacheLimit else { return }
        users.removeAll()
        series.removeAll()
        origins.removeAll()
    }

    private func found(_ row: Int32?) throws -> Int32 {
        guard let row else {
            throw PostgresError(kind: .rejected, sqlState: "02000", message: "an inserted row is missing")
        }
        return row
    }
}
