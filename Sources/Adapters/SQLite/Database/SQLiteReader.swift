import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A read-only connection on its own thread, so that readers and the writer do not block each other. Opens on the first
/// query, and again if another file has replaced the one it read.
actor SQLiteReader {
    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.database.reader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// The remedies for a file that cannot be read.
    struct Advice: Sendable {
        let whereMissing: String
        let whereOlder: String

        /// The remedies for the local store.
        static let local = Advice(
            whereMissing: "run `healthsync import FILE` first, or name its folder with --data-dir",
            whereOlder: "run `healthsync daily` once; it brings the database up to date")
    }

    private let path: String
    private let owner: Int64
    private let latest: Int64
    private let advice: Advice
    private var connection: SQLiteConnection?
    /// The identity of the file that `connection` reads.
    private var identity: FileIdentity?
    /// Whether `connection` cannot notice changes, so that it serves one query only.
    private var isImmutable = false
    /// How often a file was opened: a new connection counts changes from the beginning.
    private var openings = 0
    /// The last result of each query of `remembered`.
    private var results: [String: (version: DataVersion, parameters: String, result: any Sendable)] = [:]

    /// - Parameters:
    ///   - path: The path of the file.
    ///   - owner: The application id that the file must have.
    ///   - latest: The schema version that this program reads.
    ///   - advice: The remedies if the file is missing or older.
    init(
        path: String, owner: Int64 = DatabaseFile.applicationID, latest: Int64 = Migration.latest,
        advice: Advice = .local
    ) {
        self.path = path
        self.owner = owner
        self.latest = latest
        self.advice = advice
    }

    /// Opens the file now.
    /// - Throws: A failure if the file is missing, belongs to another program or has another schema version.
    func open() throws { _ = try opened() }

    /// Runs `body` on one consistent snapshot of the database.
    func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = try opened()
        defer { if isImmutable { try? close() } }
        try connection.execute("BEGIN")
        do {
            let result = try body(connection)
            try connection.execute("COMMIT")
            return result
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Returns the version of the whole file; `nil` if the connection cannot notice changes.
    func version() throws -> DataVersion? {
        let changes = try read { try $0.first("PRAGMA data_version") { try $0.integer() } }
        guard let changes, connection != nil else { return nil }
        return DataVersion("\(openings).\(changes)")
    }

    /// Returns the result of `body`, or that of the last call of this query if the parameters are the same and the file
    /// has not changed. For long results that every page reads. Keeps one result a query.
    func remembered<Result: Sendable>(
        _ query: String, _ parameters: String = "", _ body: @Sendable (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let version = try version()
        if let known = results[query], known.version == version, known.parameters.hasSameBytes(as: parameters),
            let result = known.result as? Result
        {
            return result
        }
        let result = try read(body)
        results[query] = version.map { ($0, parameters, result) }
        return result
    }

    /// Closes the connection. Safe to repeat.
    func close() throws {
        let open = connection
        connection = nil
        try open?.close()
    }

    private func opened() throws -> SQLiteConnection {
        if let connection {
            if FileIdentity(of: path) == identity { return connection }
            // The file was removed or replaced: the connection would read data that is no longer current.
            try close()
        }
        try DatabaseFile.checkPresence(of: path, advice: advice.whereMissing)
        let identity = FileIdentity(of: path)
        isImmutable = DatabaseFile.canBeOpenedImmutably(path)
        let connection = try SQLiteConnection(path: path, isReader: true, isImmutable: isImmutable)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(over: connection, latest: latest, owner: owner)
        guard version > 0 else {
            throw SyncFailure(
                .noInput, subject: path, reason: "nothing is stored yet, because the first run has not finished",
                advice: advice.whereMissing)
        }
        guard version == latest else {
            throw SyncFailure(
                .storage, subject: path, reason: "it was written by an older version (schema \(version))",
                advice: advice.whereOlder)
        }
        try SQLitePragmas.setUpReader(connection)
        self.connection = connection
        self.identity = identity
        openings += 1
        return connection
    }
}

/// Several read-only connections to one file. A query uses the first connection that is free; queries that find none wait
/// in the order of their arrival.
final class SQLiteReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteReader]
        var waiting: [CheckedContinuation<SQLiteReader, Never>] = []
    }

    private let readers: [SQLiteReader]
    private let state: Mutex<State>

    /// Creates a pool of `count` connections, each of which `make` creates and the first query opens.
    init(count: Int, make: () -> SQLiteReader) {
        readers = (0..<count).map { _ in make() }
        state = Mutex(State(idle: readers))
    }

    /// Runs `body` on one consistent snapshot of the database.
    func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) async throws -> Result {
        let reader = await take()
        defer { give(reader) }
        return try await reader.read(body)
    }

    /// Closes the connections. Safe to repeat.
    func close() async throws {
        for reader in readers { try await reader.close() }
    }

    private func take() async -> SQLiteReader {
        await withCheckedContinuation { continuation in
            let reader: SQLiteReader? = state.withLock { state in
                // The connection that was used last, because its cache is warm.
                if let reader = state.idle.popLast() { return reader }
                state.waiting.append(continuation)
                return nil
            }
            if let reader { continuation.resume(returning: reader) }
        }
    }

    private func give(_ reader: SQLiteReader) {
        let next: CheckedContinuation<SQLiteReader, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(reader)
            return nil
        }
        next?.resume(returning: reader)
    }
}
