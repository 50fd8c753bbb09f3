import Foundation
import HealthSyncDomain
import HealthSyncSupport

/// The files `steps.jsonl`: a line for each newly stored sample, durable before the sample is acknowledged, and written
/// exactly once even after a crash between the commit and the write.
///
/// Before each change of a file, the commit stores the durable length of the file. On the next start, the rest is
/// truncated and written again from the database. Belongs to the writer's thread.
final class StepsLineFiles {
    private struct FileState {
        var length: Int64
        /// The file contains the samples up to this position.
        var lastPosition: Int64
    }

    private let folder: String
    private let line: SQLiteReceivedDataStore.LineEncoder
    private var states: [UserName: FileState] = [:]
    /// The errors of users' files whose last change failed.
    private var broken: [UserName: any Error] = [:]

    init(folder: String, line: @escaping SQLiteReceivedDataStore.LineEncoder) {
        self.folder = folder
        self.line = line
    }

    /// Repairs every file that the database knows to match the database.
    func repairAll(over connection: SQLiteConnection) throws {
        let names = try connection.rows("SELECT name FROM line_files JOIN users USING (user_id)") { try $0.text() }
        for user in names.compactMap(UserName.init) { try repair(user, over: connection) }
    }

    /// Tries to repair the files whose last change failed. Must not be called in a transaction.
    func repair(over connection: SQLiteConnection) {
        for user in broken.keys {
            do { try repair(user, over: connection) } catch { broken[user] = error }
        }
    }

    /// Checks that the file that `change` affects contains what was acknowledged and can be opened.
    func requireWritable(_ change: LineChange) throws {
        if let error = broken[change.user] { throw error }
        _ = try state(before: change)
    }

    /// Stores, in the transaction, the durable lengths of the files that are about to change.
    func note(_ changes: [LineChange], in transaction: ReceivedTransaction) throws {
        for user in Self.users(of: changes) {
            guard let first = changes.first(where: { $0.user == user }) else { continue }
            var state = try state(before: first)
            for case .empty(user, let lastPosition) in changes {
                state = FileState(length: 0, lastPosition: lastPosition)
            }
            try transaction.connection.execute(
                """
                INSERT INTO line_files (user_id, last_position, length) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET last_position = excluded.last_position, length = excluded.length
                """, try transaction.row(of: user), state.lastPosition, state.length)
        }
    }

    /// Changes the files after the commit and syncs them. Returns the errors by user.
    func apply(_ changes: [LineChange]) -> [UserName: any Error] {
        for user in Self.users(of: changes) {
            do { try apply(changes, of: user) } catch { broken[user] = error }
        }
        return broken
    }

    /// Returns the users whose files change.
    private static func users(of changes: [LineChange]) -> Set<UserName> {
        Set(changes.filter(\.isVisible).map(\.user))
    }

    private func apply(_ changes: [LineChange], of user: UserName) throws {
        var bytes: [UInt8] = []
        var isEmptied = false
        var state = states[user] ?? FileState(length: 0, lastPosition: 0)
        for change in changes where change.user == user {
            switch change {
            case .append(_, let lines, _, let lastPosition):
                bytes += lines
                state.lastPosition = lastPosition
            case .empty(_, let lastPosition):
                bytes = []
                isEmptied = true
                state = FileState(length: 0, lastPosition: lastPosition)
            }
        }
        let file = try StepsLineFile(path: path(of: user))
        if isEmptied { try file.truncate(to: 0) }
        try file.write(bytes, at: state.length)
        try file.synchronize()
        state.length += Int64(bytes.count)
        states[user] = state
    }

    private func path(of user: UserName) -> String {
        user == .local ? "\(folder)/steps.jsonl" : "\(folder)/\(user.text)/steps.jsonl"
    }

    /// Returns the progress of the file. The database's lines follow the existing content of a file that it does not
    /// know.
    private func state(before change: LineChange) throws -> FileState {
        if let known = states[change.user] { return known }
        let file = try StepsLineFile(path: path(of: change.user))
        let state = FileState(length: try file.length(), lastPosition: change.previousPosition)
        states[change.user] = state
        return state
    }

    private func repair(_ user: UserName, over connection: SQLiteConnection) throws {
        let remembered = try connection.first(
            "SELECT last_position, length FROM line_files JOIN users USING (user_id) WHERE name = ?1", user.text
        ) { row in
            let lastPosition = try row.integer()
            return FileState(length: try row.integer(), lastPosition: lastPosition)
        }
        guard var state = remembered else { return }
        let file = try StepsLineFile(path: path(of: user))
        // The file may have been truncated by another program: continue at its end.
        state.length = min(state.length, try file.length())
        try file.truncate(to: state.length)
        let steps = try ReceivedSampleQueries(user: user, type: "steps", over: connection)
        let given = try steps.lastPosition()
        while state.lastPosition < given {
            let page = try steps.samples(after: state.lastPosition, in: nil, limit: 5_000)
            let bytes = page.batch.samples.flatMap { line($0, page.batch.origin(of: $0)) }
            try file.write(bytes, at: state.length)
            state.length += Int64(bytes.count)
            state.lastPosition = page.next ?? given
        }
        try file.synchronize()
        states[user] = state
        broken[user] = nil
    }
}

/// A change of a user's `steps.jsonl` to be made after a commit.
enum LineChange {
    /// Append the lines of newly stored samples after a position, up to the position of the last; empty if all were known.
    case append(UserName, lines: [UInt8], after: Int64, lastPosition: Int64)
    /// Empty the file after a deletion of all samples up to this position.
    case empty(UserName, lastPosition: Int64)

    /// The user whose file changes.
    var user: UserName {
        switch self {
        case .append(let user, _, _, _), .empty(let user, _): user
        }
    }

    /// The last position of the samples that the file contains before the change.
    fileprivate var previousPosition: Int64 {
        switch self {
        case .append(_, _, let position, _), .empty(_, let position): position
        }
    }

    /// Whether the content of the file changes.
    fileprivate var isVisible: Bool {
        if case .append(_, let lines, _, _) = self { !lines.isEmpty } else { true }
    }
}

/// An open `steps.jsonl`.
private struct StepsLineFile {
    private let path: String
    private let file: OpenFile

    /// Opens the file, after creating the folder (0700) and the file (0600) durably if they are missing.
    init(path: String) throws(SyncFailure) {
        self.path = path
        file = try Self.reporting(path) { () throws(SystemError) in
            do throws(SystemError) { return try OpenFile(changing: path) } catch {
                guard error.code == ENOENT else { throw error }
            }
            let folder = FileSystem.folder(of: path)
            if !folder.isEmpty { try FileSystem.makeFolder(folder) }
            let file = try OpenFile(creating: path, ifExists: .open)
            try FileSystem.syncFolder(folder)
            return file
        }
    }

    /// Returns the size of the file in bytes.
    func length() throws(SyncFailure) -> Int64 {
        try Self.reporting(path) { () throws(SystemError) in try file.details().size }
    }

    /// Truncates the file to `length` bytes.
    func truncate(to length: Int64) throws(SyncFailure) {
        try Self.reporting(path) { () throws(SystemError) in try file.truncate(to: length) }
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int64) throws(SyncFailure) {
        try Self.reporting(path) { () throws(SystemError) in try file.write(bytes, at: offset) }
    }

    /// Syncs the file to disk.
    func synchronize() throws(SyncFailure) {
        try Self.reporting(path) { () throws(SystemError) in try file.sync() }
    }

    private static func reporting<Result>(
        _ path: String, _ body: () throws(SystemError) -> Result
    ) throws(SyncFailure) -> Result {
        do throws(SystemError) { return try body() } catch {
            throw SyncFailure(
                .storage, subject: path, reason: "cannot be written: \(error.text)",
                advice: "check the folder of --jsonl and the free space on its disk")
        }
    }
}
