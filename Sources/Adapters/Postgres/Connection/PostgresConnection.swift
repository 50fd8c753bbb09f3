import CHealthSyncPQ
import Foundation
import HealthSyncDomain

/// A configured and checked session with a server. Belongs to one thread.
@safe final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of prepared statements by SQL text.
    private var prepared: [String: String] = [:]
    /// Whether the statements in progress include a COMMIT.
    private var isCommitting = false
    /// Whether a pooler may give each transaction another session of the server, so that neither settings nor prepared
    /// statements last longer than a transaction. Assumed until it is known.
    private(set) var isPooled = true
    private let transactionSettings: PostgresCommand

    init(to address: PostgresAddress) throws {
        transactionSettings = SessionSettings.command(
            statementTimeout: address.statementTimeout, ofTransaction: true)
        let words = [
            ("connect_timeout", "10"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "60000"), ("fallback_application_name", "healthsync"),
            // Keywords before the address are defaults; keywords after it override it.
            ("dbname", address.conninfo), ("client_encoding", "UTF8"),
        ]
        let opened = unsafe CTexts(words.map(\.0)).withPointers { keywords in
            unsafe CTexts(words.map(\.1)).withPointers { values in unsafe PQconnectdbParams(keywords, values, 1) }
        }
        guard let opened = unsafe opened else {
            throw PostgresError(kind: .notConnected, sqlState: "", message: "out of memory")
        }
        unsafe handle = opened
        unsafe healthsync_drop_notices(opened)
        guard unsafe PQstatus(opened) == CONNECTION_OK else { throw notConnected() }
        try SessionSettings.setUp(self, statementTimeout: address.statementTimeout)
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether the connection is usable.
    var isAlive: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// The server's version as a number: 150020 is 15.20.
    var serverVersion: Int { Int(unsafe PQserverVersion(handle)) }

    /// Returns the server's parameter `name`.
    func status(_ name: String) -> String? {
        unsafe PQparameterStatus(handle, name).map { unsafe String(cString: $0) }
    }

    /// Whether no transaction is open.
    private var isIdle: Bool { unsafe PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// Finds out whether a pooler is in between: it makes up the number of the server's process that libpq receives.
    func detectPooler() throws {
        let process = try run("SELECT pg_backend_pid()").first { Int(try $0.int4()) }
        isPooled = process != Int(unsafe PQbackendPID(handle))
    }

    /// Runs statements without parameters in one round trip and ignores their rows. Behind a pooler, a transaction must be
    /// open.
    func execute(_ sql: String) throws {
        guard let result = unsafe PQexec(handle, sql) else { throw lost() }
        defer { unsafe PQclear(result) }
        let status = unsafe PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { throw unsafe error(of: result) }
    }

    /// Sends all `commands` in one pipeline and returns their rows. After a failed command, no further command runs.
    @discardableResult func run(_ commands: [PostgresCommand]) throws -> [PostgresRows] {
        guard isPooled, isIdle, let first = commands.first else { return try runAll(commands) }
        // Without BEGIN, the commands of a pipeline are a transaction, too.
        let place = first.beginsTransaction ? 1 : 0
        var all = commands
        all.insert(transactionSettings, at: place)
        var rows = try runAll(all)
        rows.remove(at: place)
        return rows
    }

    private func runAll(_ commands: [PostgresCommand]) throws -> [PostgresRows] {
        for command in commands { try prepare(command.sql) }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        defer { unsafe PQexitPipelineMode(handle) }
        isCommitting = commands.contains { $0.sql == PostgresCommand.commit.sql }
        defer { isCommitting = false }
        for command in commands { try send(command) }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
        let rows = try results(of: commands)
        if let last = rows.last, isCommitting, last.commandTag != "COMMIT" {
            throw PostgresError(kind: .rejected, sqlState: "25P02", message: "the transaction was rolled back")
        }
        return rows
    }

    /// Runs one statement.
    @discardableResult func run(_ sql: String, _ parameters: PostgresParameter...) throws -> PostgresRows {
        let rows = try run([PostgresCommand(sql, parameters)])
        guard let first = rows.first else { throw lost() }
        return first
    }

    /// Runs one statement and passes its rows to `body` one at a time, without storing them.
    func stream(_ command: PostgresCommand, _ body: (inout PostgresRow) throws -> Void) throws {
        let needsTransaction = isPooled && isIdle
        if needsTransaction { try run([.beginReading]) }
        try streamRows(of: command, body)
        if needsTransaction { try run([.commit]) }
    }

    private func streamRows(of command: PostgresCommand, _ body: (inout PostgresRow) throws -> Void) throws {
        try prepare(command.sql)
        try send(command)
        _ = unsafe PQsetSingleRowMode(handle)
        var failure: (any Error)?
        while let result = unsafe PQgetResult(handle) {
            let rows = unsafe PostgresRows(result)
            let status = unsafe PQresultStatus(result)
            if status == PGRES_SINGLE_TUPLE {
                do { _ = try rows.first(body) } catch { failure = failure ?? error }
            } else if status != PGRES_TUPLES_OK {
                failure = unsafe error(of: result)
                if !isAlive { break }
            }
        }
        if let failure { throw failure }
    }

    /// Rolls back the open transaction, if any.
    func rollBack() {
        guard isAlive, !isIdle else { return }
        try? execute("ROLLBACK")
    }

    private func prepare(_ sql: String) throws {
        guard !isPooled, prepared[sql] == nil else { return }
        let name = "s\(prepared.count)"
        guard let result = unsafe PQprepare(handle, name, sql, 0, nil) else { throw lost() }
        defer { unsafe PQclear(result) }
        guard unsafe PQresultStatus(result) == PGRES_COMMAND_OK else { throw unsafe error(of: result) }
        prepared[sql] = name
    }

    private func send(_ command: PostgresCommand) throws {
        let parameters = command.parameters
        let joined = parameters.flatMap { $0.bytes ?? [] }
        let lengths = parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        let sent = unsafe joined.withUnsafeBufferPointer { buffer in
            let start = unsafe UnsafeRawPointer(buffer.baseAddress ?? UnsafePointer(bitPattern: 8))
            var offset = 0
            let values = unsafe parameters.map { parameter -> UnsafePointer<CChar>? in
                guard let bytes = parameter.bytes else { return nil }
                defer { offset += bytes.count }
                return unsafe start?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            let count = Int32(parameters.count)
            guard let name = prepared[command.sql] else {
                return unsafe PQsendQueryParams(handle, command.sql, count, nil, values, lengths, formats, 1)
            }
            return unsafe PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw lost() }
    }

    private func results(of commands: [PostgresCommand]) throws -> [PostgresRows] {
        var rows: [PostgresRows] = []
        var failure: PostgresError?
        for _ in commands {
            guard let result = unsafe PQgetResult(handle) else { throw lost() }
            let received = unsafe PostgresRows(result)
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows.append(received)
            case PGRES_PIPELINE_ABORTED: break
            default: if failure == nil { failure = unsafe error(of: result) }
            }
            guard isAlive else { throw failure ?? lost() }
            // The result of each statement is followed by NULL.
            while let rest = unsafe PQgetResult(handle) { unsafe PQclear(rest) }
        }
        let end = unsafe PQgetResult(handle)
        defer { unsafe PQclear(end) }
        if let failure { throw failure }
        guard unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost() }
        return rows
    }

    private func error(of result: OpaquePointer) -> PostgresError {
        func field(_ code: Character) -> String? {
            unsafe PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { unsafe String(cString: $0) }
        }
        // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY are character macros, which Swift does not import.
        guard let state = field("C") else { return lost() }
        // The server ended the session (57P01–57P03), a pooler lost it (08P01), or it is no longer the primary.
        if state.hasBytePrefix("57P") || state.hasBytePrefix("08") || !isAlive { return lost() }
        if state == "25006" { return lost("the server is read-only") }
        return PostgresError(kind: .rejected, sqlState: state, message: field("M") ?? "")
    }

    private func lost(_ message: String = "the connection was lost") -> PostgresError {
        PostgresError(kind: isCommitting ? .commitUnknown : .connectionLost, sqlState: "", message: message)
    }

    private func notConnected() -> PostgresError {
        // libpq's message contains the host, the user and the database, but never the password.
        let message = unsafe String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: ", ")
        var advice: String?
        if unsafe PQconnectionNeedsPassword(handle) == 1 {
            advice = "provide the password in the file PGPASSFILE or in PGPASSWORD"
        } else if unsafe PQconnectionUsedPassword(handle) == 1 {
            advice = "check the user and the password (PGPASSFILE, PGPASSWORD)"
        }
        return PostgresError(
            kind: .notConnected, sqlState: "", message: message.isEmpty ? "no connection" : message, advice: advice)
    }
}

/// Strings as a NULL-terminated array of C strings.
@safe private struct CTexts {
    private let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        let copies = unsafe texts.map { unsafe UnsafePointer<CChar>(strdup($0)) }
        defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        return unsafe body(copies + [nil])
    }
}

/// The client library of PostgreSQL.
package enum PostgresLibrary {
    /// The version of the loaded libpq, such as `15.6`.
    package static var version: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }
}
