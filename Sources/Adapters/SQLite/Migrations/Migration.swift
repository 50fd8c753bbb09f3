import HealthSyncDomain
import HealthSyncPorts

/// A change of the schema. A released migration is never edited.
struct Migration: Sendable {
    /// The schema version after the migration; the first is 1.
    var number: Int64
    /// The statements.
    var sql: String
    /// Converts data that SQL cannot, after the statements and in the same transaction. Returns a note for the user.
    var convert: (@Sendable (SQLiteConnection, (any ContentHasher)?) throws -> String?)?

    /// Every migration, in order.
    static let all: [Migration] = [
        .initialSchema, .shoes, .layering, .attributedDays, .runs, .storedDayZones, .snapshotTypes, .removedEntries,
        .snapshotLineages, .zoneRules, .verification, .completeParts, .zoneEvidence, .sampleIdentity, .heldTime,
        .changeStreams, .streamVersions, .backendIDs, .notations, .sleepEpisodes,
        .formerDeliveries,
    ]

    /// The schema version of this program.
    static let latest = Int64(all.count)

    /// Applies the missing migrations, each in one transaction together with its version number; in an empty file all
    /// of them in one, because each commit costs more than they do. Returns the notes for the user.
    ///
    /// - Throws: `SyncFailure` with `.unexpected`, before any change, if the numbers of `migrations` are not 1, 2, 3
    ///   and so on: with a gap or a duplicate a migration would be silently skipped.
    @discardableResult
    static func migrate(
        _ connection: SQLiteConnection, by migrations: [Migration] = all, owner: Int64 = DatabaseFile.applicationID,
        hasher: (any ContentHasher)? = nil
    ) throws -> [String] {
        try requireConsecutive(migrations, path: connection.path)
        let steps = try version(of: connection) == 0 ? [migrations] : migrations.map { [$0] }
        return try steps.flatMap { try apply($0, to: connection, owner: owner, hasher: hasher) }
    }

    /// Applies in one transaction those of `migrations` that are missing.
    private static func apply(
        _ migrations: [Migration], to connection: SQLiteConnection, owner: Int64, hasher: (any ContentHasher)?
    ) throws -> [String] {
        var notes: [String] = []
        try connection.execute("BEGIN IMMEDIATE")
        do {
            // Read again under the lock: another process may have migrated the file meanwhile.
            let version = try version(of: connection)
            for migration in migrations where version < migration.number {
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
        return notes
    }

    private static func version(of connection: SQLiteConnection) throws -> Int64 {
        try connection.first("PRAGMA user_version") { try $0.integer() } ?? 0
    }

    private static func requireConsecutive(_ migrations: [Migration], path: String) throws {
        let numbers = migrations.map(\.number)
        guard numbers == Array(1..<Int64(numbers.count) + 1) else {
            throw SyncFailure(
                .unexpected, subject: path, reason: "the schema migrations are not consecutive: \(numbers)",
                advice: "report this as a bug")
        }
    }
}
