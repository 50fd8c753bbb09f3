import Foundation
import HealthSyncDomain

/// The files `steps.jsonl`: a line for every newly stored sample, on disk before it is acknowledged, and once also
/// after a crash between the commit and the file.
///
/// The database remembers, in the commit before each change of a file, how far the file was on disk then: what lies
/// behind is cut off at the next start, and written again from the database. Belongs to the writer's thread.
final class StepsLineFiles {
    private struct Standing {
        var length: Int64
        /// Samples up to this position are in the file.
        var lastPosition: Int64
    }

    private let folder: String
    private let line: SQLiteReceivedDataStore.LineEncoder
    private var standings: [UserName: Standing] = [:]
    /// What the last change of a user's file failed of.
    private var broken: [UserName: any Error] = [:]

    init(folder: String, line: @escaping SQLiteReceivedDataStore.LineEncoder) {
        self.folder = folder
        self.line = line
    }

    /// Brings every file that the database knows to what it holds.
    func bringUpToDate(over connection: SQLiteConnection) throws {
        let names = try connection.rows("SELECT name FROM line_files JOIN users USING (user_id)") { try $0.text() }
        for user in names.compactMap(UserName.init) { try repair(user, over: connection) }
    }

    /// Tries to bring files to what the database holds whose last change failed. Outside of a transaction.
    func repair(over connection: SQLiteConnection) {
        for user in broken.keys {
            do { try repair(user, over: connection) } catch { broken[user] = error }
        }
    }

    /// That the file of `user` holds what was acknowledged and can be opened.
    ///
    /// - Parameter position: The last one that was given before this transaction.
    func requireWritable(of user: UserName, position: Int64) throws {
        if let error = broken[user] { throw error }
        _ = try standing(of: user, position: position)
    }

    /// Remembers, within the transaction, how far the files are on disk that are about to change.
    func note(_ changes: [LineChange], after position: Int64, in transaction: ReceivedTransaction) throws {
        for user in Self.users(of: changes) {
            var standing = try standing(of: user, position: position)
            for case .empty(user, let lastPosition) in changes {
                standing = Standing(length: 0, lastPosition: lastPosition)
            }
            try transaction.connection.execute(
                """
                INSERT INTO line_files (user_id, last_position, length) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET last_position = excluded.last_position, length = excluded.length
                """, try transaction.row(of: user), standing.lastPosition, standing.length)
        }
    }

    /// Changes the files, after the commit, and returns when that is on disk: the failures of those where it is not.
    func apply(_ changes: [LineChange]) -> [UserName: any Error] {
        for user in Self.users(of: changes) {
            do { try apply(changes, of: user) } catch { broken[user] = error }
        }
        return broken
    }

    /// Those whose files change.
    private static func users(of changes: [LineChange]) -> Set<UserName> {
        Set(changes.filter(\.isVisible).map(\.user))
    }

    private func apply(_ changes: [LineChange], of user: UserName) throws {
        var bytes: [UInt8] = []
        var isEmptied = false
        var standing = standings[user] ?? Standing(length: 0, lastPosition: 0)
        for change in changes where change.user == user {
            switch change {
            case .append(_, let lines, let lastPosition):
                bytes += lines
                standing.lastPosition = lastPosition
            case .empty(_, let lastPosition):
                bytes = []
                isEmptied = true
                standing = Standing(length: 0, lastPosition: lastPosition)
            }
        }
        let file = try StepsLineFile(path: path(of: user))
        if isEmptied { try file.cut(to: 0) }
        try file.write(bytes, at: standing.length)
        try file.synchronize()
        standing.length += Int64(bytes.count)
        standings[user] = standing
    }

    private func path(of user: UserName) -> String {
        user == .local ? "\(folder)/steps.jsonl" : "\(folder)/\(user.text)/steps.jsonl"
    }

    /// Where the file stands; of one that the database does not know behind what is in it already.
    private func standing(of user: UserName, position: Int64) throws -> Standing {
        if let known = standings[user] { return known }
        let file = try StepsLineFile(path: path(of: user))
        let standing = Standing(length: try file.length(), lastPosition: position)
        standings[user] = standing
        return standing
    }

    private func repair(_ user: UserName, over connection: SQLiteConnection) throws {
        let remembered = try connection.first(
            "SELECT last_position, length FROM line_files JOIN users USING (user_id) WHERE name = ?1", user.text
        ) { row in
            let lastPosition = try row.integer()
            return Standing(length: try row.integer(), lastPosition: lastPosition)
        }
        guard var standing = remembered else { return }
        let file = try StepsLineFile(path: path(of: user))
        // Somebody may have cut the file: it goes on from where it ends.
        standing.length = min(standing.length, try file.length())
        try file.cut(to: standing.length)
        let steps = try ReceivedSampleQuestions(user: user, type: "steps", over: connection)
        let given = try ReceivedSamplePages.lastPosition(over: connection)
        while standing.lastPosition < given {
            let page = try steps.samples(after: standing.lastPosition, in: nil, limit: 5_000)
            let bytes = page.batch.samples.flatMap { line($0, page.batch.origin(of: $0)) }
            try file.write(bytes, at: standing.length)
            standing.length += Int64(bytes.count)
            standing.lastPosition = page.next ?? given
        }
        try file.synchronize()
        standings[user] = standing
        broken[user] = nil
    }
}
