import CHealthSyncSQLite
import HealthSyncDomain

/// A connection to a database file. It belongs to one thread at a time, and every call may block.
@safe final class SQLiteConnection {
    /// The path of the database file.
    let path: String
    /// The open database; `nil` once closed.
    private var handle: OpaquePointer?
    private var statements: [StatementText: SQLiteStatement] = [:]
    /// The texts of inserting statements, by their beginning.
    private var inserts: [StatementText: InsertTexts] = [:]

    /// The result of configuring the library, once, before the first connection. If a host program has configured it
    /// already, its configuration remains.
    private static let configuration = healthsync_disable_memory_statistics()

    /// Opens the existing file at `path`. A reader neither writes nor checkpoints.
    ///
    /// - Parameter isImmutable: whether the file cannot change while it is open: SQLite then takes no locks, creates no
    ///   other files and ignores the write-ahead log.
    init(path: String, isReader: Bool, isImmutable: Bool = false) throws {
        let access = (isReader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | (isImmutable ? SQLITE_OPEN_URI : 0)
        _ = Self.configuration
        var handle: OpaquePointer?
        // SQLite gives a name that begins with a colon a special meaning.
        let plain = path.hasBytePrefix("/") ? path : "./" + path
        let name = isImmutable ? "file:\(PercentEncoding.encoded(plain))?immutable=1" : plain
        let code = unsafe sqlite3_open_v2(name, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle = unsafe handle else {
            throw SQLiteFailure.failure(code, path: path, message: "out of memory")
        }
        guard code == SQLITE_OK else {
            let message = unsafe String(cString: sqlite3_errmsg(handle))
            let extended = unsafe sqlite3_extended_errcode(handle)
            unsafe sqlite3_close_v2(handle)
            throw SQLiteFailure.failure(extended, path: path, message: message)
        }
        self.path = path
        unsafe self.handle = handle
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe healthsync_set_defensive(handle)
        if isReader { unsafe healthsync_leave_wal_at_close(handle) }
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Closes the connection, unless it is closed. Every later call that reads or writes throws.
    func close() throws {
        guard let open = unsafe handle else { return }
        statements.removeAll()
        unsafe handle = nil
        let code = unsafe sqlite3_close_v2(open)
        guard code == SQLITE_OK else { throw SQLiteFailure.failure(code, path: path, message: "closing failed") }
    }

    private func openHandle() throws -> OpaquePointer {
        guard let handle = unsafe handle else {
            throw SQLiteFailure.failure(SQLITE_MISUSE, path: path, message: "the connection is closed")
        }
        return unsafe handle
    }

    /// Copies the database, in one read transaction, to the new file `target` (0600).
    func copy(to target: String) throws {
        try DatabaseFile.prepare(target)
        let copy = try SQLiteConnection(path: target, isReader: false)
        defer { try? copy.close() }
        let code = unsafe healthsync_copy(try openHandle(), try copy.openHandle())
        guard code == SQLITE_OK else {
            let message = unsafe String(cString: sqlite3_errstr(code))
            throw SQLiteFailure.failure(code, path: path, message: message)
        }
        try copy.close()
    }

    /// Returns the first bytes of the file on disk, fewer if it is shorter. Reads through SQLite's own descriptor:
    /// closing any other descriptor of the file would drop the POSIX locks that all connections of this process hold on
    /// it.
    func firstBytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var size: Int64 = 0
        let handle = unsafe try openHandle()
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe healthsync_read_start(handle, buffer.baseAddress, Int32(count), &size)
        }
        guard code == SQLITE_OK else {
            throw SQLiteFailure.failure(code, path: path, message: "the file cannot be read")
        }
        return Array(bytes.prefix(Int(min(size, Int64(count)))))
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    var changedRows: Int { unsafe handle.map { unsafe Int(sqlite3_changes64($0)) } ?? 0 }

    /// The rowid of the last inserted row.
    var lastInsertedRowID: Int64 { unsafe handle.map { unsafe sqlite3_last_insert_rowid($0) } ?? 0 }

    /// The number of pages written to the log since the connection was opened.
    var pagesWritten: Int {
        guard let handle = unsafe handle else { return 0 }
        var count: Int32 = 0
        var highest: Int32 = 0
        let code = unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
        return code == SQLITE_OK ? Int(count) : 0
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe handle.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Whether the last call failed because the disk is full.
    var isDiskFull: Bool { unsafe handle.map { unsafe sqlite3_errcode($0) == SQLITE_FULL } ?? false }

    /// Sets how long a statement waits for a lock that another connection holds.
    func setBusyTimeout(milliseconds: Int32) {
        if let handle = unsafe handle { unsafe sqlite3_busy_timeout(handle, milliseconds) }
    }

    /// Runs a statement to its end and ignores its rows.
    func execute(_ sql: String, _ values: any SQLiteBindable...) throws {
        try withStatement(sql, [values]) { statement in
            while try statement.step() {}
        }
    }

    /// Inserts `rows`, all of the same width, with the statement `beginning VALUES (…), (…) ending`.
    ///
    /// A table with triggers has a savepoint for each statement, with copies of the changed database pages. Several
    /// rows in one statement share it.
    func insert(_ beginning: String, rows: [[any SQLiteBindable]], _ ending: String = "") throws {
        guard let width = rows.first?.count else { return }
        let texts = insertTexts(beginning, width: width, ending)
        var rest = rows[...]
        while rest.count >= Self.rowsOfStatement {
            try withStatement(texts.many, rest.prefix(Self.rowsOfStatement)) { _ = try $0.step() }
            rest = rest.dropFirst(Self.rowsOfStatement)
        }
        for place in rest.indices { try withStatement(texts.one, rest[place...place]) { _ = try $0.step() } }
    }

    private func insertTexts(_ beginning: String, width: Int, _ ending: String) -> InsertTexts {
        if let texts = inserts[StatementText(sql: beginning)] { return texts }
        let row = "(" + [String](repeating: "?", count: width).joined(separator: ", ") + ")"
        let all = [String](repeating: row, count: Self.rowsOfStatement).joined(separator: ", ")
        let texts = InsertTexts(
            one: "\(beginning) VALUES \(row) \(ending)", many: "\(beginning) VALUES \(all) \(ending)")
        inserts[StatementText(sql: beginning)] = texts
        return texts
    }

    private struct InsertTexts {
        let one: String
        let many: String
    }

    /// The number of rows that `insert` puts into one statement.
    static let rowsOfStatement = 16

    /// Returns every row of a query, converted by `read`, in order.
    func rows<Value>(
        _ sql: String, _ values: any SQLiteBindable..., read: (SQLiteStatement) throws -> Value
    ) throws -> [Value] {
        try withStatement(sql, [values]) { statement in
            var result: [Value] = []
            while try statement.step() { result.append(try read(statement)) }
            return result
        }
    }

    /// Calls `body` with each row of a query until it returns false.
    func forEach(
        _ sql: String, _ values: any SQLiteBindable..., body: (SQLiteStatement) throws -> Bool
    ) throws {
        try withStatement(sql, [values]) { statement in
            while try statement.step(), try body(statement) {}
        }
    }

    /// Returns the first row of a query, converted by `read`; `nil` if there is no row.
    func first<Value>(
        _ sql: String, _ values: any SQLiteBindable..., read: (SQLiteStatement) throws -> Value
    ) throws -> Value? {
        try withStatement(sql, [values]) { statement in try statement.step() ? try read(statement) : nil }
    }

    /// Runs several statements without parameters, such as those of a migration.
    func executeScript(_ sql: String) throws {
        let handle = unsafe try openHandle()
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw unsafe SQLiteFailure.failure(code, path: path, message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    private func withStatement<Value>(
        _ sql: String, _ rows: ArraySlice<[any SQLiteBindable]>, _ use: (SQLiteStatement) throws -> Value
    ) throws -> Value {
        let statement = try statement(for: sql)
        statement.isInUse = true
        defer { statement.reset() }
        try statement.bind(rows)
        return try use(statement)
    }

    private func statement(for sql: String) throws -> SQLiteStatement {
        let text = StatementText(sql: sql)
        let cached = statements[text]
        if let cached, !cached.isInUse { return cached }
        let statement = unsafe try SQLiteStatement(sql, connection: openHandle(), path: path)
        // A query that runs inside another query with the same text uses a statement of its own, which is not cached.
        if cached == nil { statements[text] = statement }
        return statement
    }

    /// The text of a statement. Its hash is its length, because hashing hundreds of bytes for each row costs more than
    /// comparing them.
    private struct StatementText: Hashable {
        let sql: String

        func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
    }
}

/// The settings of a connection, in the order in which they are applied. Each is read back, because SQLite ignores
/// pragmas it does not know, and a setting that had no effect would cost data later.
enum SQLitePragmas {
    /// How long a statement waits for another connection, in milliseconds.
    private static let busyTimeoutMilliseconds: Int32 = 5_000

    /// Sets the busy timeout. Call it before the first statement.
    static func setBusyTimeout(of connection: SQLiteConnection) {
        connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
    }

    /// Configures the writing connection for durability: a commit that returned survives a power failure.
    /// - Parameter pageBytes: The database page size of a new file. Sample pages are a few kilobytes; larger database
    ///   pages waste less space after them.
    static func setUpWriter(_ connection: SQLiteConnection, pageBytes: Int = 8_192) throws {
        try connection.execute("PRAGMA page_size = \(pageBytes)")
        try set("journal_mode", "wal", of: connection)
        try set("synchronous", "2", of: connection)
        try set("foreign_keys", "1", of: connection)
        try set("trusted_schema", "0", of: connection)
        // Only this connection checkpoints, between transactions.
        try set("wal_autocheckpoint", "0", of: connection)
        try set("cell_size_check", "1", of: connection)
        try set("temp_store", "2", of: connection)
        try set("cache_size", "-8192", of: connection)
        // On macOS alone, fsync does not reach the disk.
        try set("fullfsync", "1", of: connection)
        try set("checkpoint_fullfsync", "1", of: connection)
    }

    /// Configures a reading connection.
    static func setUpReader(_ connection: SQLiteConnection) throws {
        try set("query_only", "1", of: connection)
        try set("trusted_schema", "0", of: connection)
        try set("cell_size_check", "1", of: connection)
        try set("temp_store", "2", of: connection)
        try set("cache_size", "-4096", of: connection)
    }

    private static func set(_ name: String, _ value: String, of connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA \(name) = \(value)")
        let isText = Int(value) == nil
        let found = try connection.first("PRAGMA \(name)") { row in isText ? try row.text() : String(try row.integer())
        }
        guard found == value else {
            throw SyncFailure(
                .storage, subject: connection.path,
                reason: "the setting \(name) is \(found ?? "absent") instead of \(value)",
                advice: "keep the data folder on a local disk, not on a network share")
        }
    }
}
