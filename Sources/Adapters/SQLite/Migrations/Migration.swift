import HealthSyncDomain
import HealthSyncPorts

/// One change of the schema. A migration that was released is never edited.
struct Migration: Sendable {
    /// The schema version after it; the first is 1.
    var number: Int64
    /// The statements.
    var sql: String
    /// Converts what SQL cannot, after the statements and in the same transaction. Returns a note for the user.
    var convert: (@Sendable (SQLiteConnection, (any ContentHasher)?) throws -> String?)?

    /// Every migration, in order.
    static let all: [Migration] = [
        .initialSchema, .shoes, .layering, .attributedDays, .runs, .countedDays, .snapshotTypes, .removedEntries,
        .snapshotLines, .zoneRules, .verification, .completeParts, .zoneEvidence, .sampleIdentity, .heldTime,
    ]

    /// The schema version of this program.
    static let latest = Int64(all.count)

    /// Applies what is missing, each migration in one transaction together with its version number. Returns the notes
    /// for the user.
    @discardableResult
    static func bringUpToDate(
        _ connection: SQLiteConnection, by migrations: [Migration] = all, owner: Int64 = DatabaseFile.applicationID,
        hasher: (any ContentHasher)? = nil
    ) throws -> [String] {
        var notes: [String] = []
        for migration in migrations {
            try connection.execute("BEGIN IMMEDIATE")
            do {
                // Asked again under the lock: another process may have been faster.
                let version = try connection.first("PRAGMA user_version") { try $0.integer() } ?? 0
                if version < migration.number {
                    try connection.executeScript(migration.sql)
                    if let note = try migration.convert?(connection, hasher) { notes.append(note) }
                    try connection.execute("PRAGMA application_id = \(owner)")
                    try connection.execute("PRAGMA user_version = \(migration.number)")
                }
                try connection.execute("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
        return notes
    }
}
