import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@testable import HealthSyncSQLite

@Suite("Files of every released schema")
struct EverySchemaTests {
    @Test("A local store of each schema is migrated and keeps every row", arguments: 1...Migration.latest)
    func localStore(version: Int64) async throws {
        let temporary = try TemporaryDatabase()
        try FormerDatabase.make(version, at: temporary.path)
        let before = try Self.counts(temporary.path)
        #expect(before.filter { $0.value == 0 }.isEmpty, "a fixture needs a row in every table")
        let database = try await temporary.open()
        try await Self.expectContent(of: database, since: version)
        try await database.close()
        let after = try Self.counts(temporary.path)
        for (table, count) in before where after[table] != nil {
            // Migration 17 does not keep windows without a version.
            let expected = table == "complete_window" && version < 17 ? 0 : count
            #expect(after[table] == expected, "\(table)")
        }
        // Migration 9 replaces the tables of export dates.
        #expect(after["snapshot_line"] == 1)
        let fresh = try TemporaryDatabase()
        try await fresh.open().close()
        #expect(try Self.schema(temporary.path) == Self.schema(fresh.path))
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("A server's database of each schema is migrated and keeps every row", arguments: 1..<ReceivedSchema.latest)
    func server(version: Int64) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "received.db")
        try FormerReceivedDatabase.make(version, at: path)
        let before = try Self.counts(path)
        #expect(before.filter { $0.value == 0 }.isEmpty, "a fixture needs a row in every table")
        await (try SQLiteReceivedDataStore.open(at: path, time: ManualTime())).close()
        let after = try Self.counts(path)
        for (table, count) in before where after[table] != nil { #expect(after[table] == count, "\(table)") }
        let connection = try SQLiteConnection(path: path, isReader: true)
        let pages = try connection.rows("SELECT first_position, ids FROM sample_pages ORDER BY 1") { row in
            (position: try row.integer(), ids: try ReceivedPageCodec.ids(try row.blob()))
        }
        #expect(pages.map(\.position) == [1] && pages.map(\.ids) == [FormerReceivedDatabase.ids])
        let records = try connection.rows("SELECT id FROM records") { try $0.text() }
        #expect(records == ["steps/hour/2024-01-15/2024-01-15T09:00:00Z"])
        try connection.close()
        let fresh = folder.path(of: "fresh.db")
        await (try SQLiteReceivedDataStore.open(at: fresh, time: ManualTime())).close()
        #expect(try Self.schema(path) == Self.schema(fresh))
        try PythonSQLite.requireValid(path)
    }

    private static func expectContent(of database: SQLiteDatabase, since version: Int64) async throws {
        let (day, type) = (FormerDatabase.day, StoreFilling.type.type)
        let days = DayRange(day)
        #expect(try await database.pages.pages(of: [type], utcDays: days).map(\.bytes) == [FormerDatabase.page.bytes])
        let dates = try await database.pages.changePages { try $0.snapshotDates(provider: "test") }
        #expect(dates == [0: SnapshotDates(chosen: [type: FormerDatabase.exportDate])])
        #expect(try await database.pages.importedSources().map(\.provider) == ["test"])
        let progress = try await database.tracking.progress(derivedBy: .steps, days: days)
        #expect(progress.map(\.record.figures.quantity) == [1_250] && progress.map(\.revision) == [3])
        #expect(progress.first?.record.hours.map(\.figures.quantity) == [1_250])
        #expect(try await database.repository.sleep(days: days).map(\.durations.core) == [60_000])
        #expect(try await database.repository.activitySnapshots(days: days).map(\.steps) == [1_250])
        #expect(try await database.tracking.trackedDigests(of: .steps, days: days) == [day: FormerDatabase.digest])
        #expect(try await database.tracking.tombstoneRevisions(of: ["steps/2024-01-10"]) == ["steps/2024-01-10": 3])
        let missing = try await database.outbox.missingDeletions(destination: FormerDatabase.server)
        #expect(missing.map(\.sourceID) == ["steps/day/2024-01-10"])
        let items = try await database.outbox.items(in: nil, destination: nil, limit: 9)
        #expect(items.map(\.content.dedupKey) == ["s@2"] && items.map(\.content.payload) == [[1]])
        let delivered = try await database.outbox.items(in: .delivered, destination: nil, limit: 9)
        #expect(delivered.map(\.backendID) == [version < 18 ? nil : "theirs"])
        #expect(try await database.shoes.shoes().map(\.details.brand) == (version < 2 ? [] : ["Salomon"]))
        let runs = try await database.runs.lastRuns(limit: 9)
        #expect(runs.map(\.end?.ending) == (version < 5 ? [] : [.completed]))
        let zones = try await database.tracking.storedDayZones()
        #expect(zones?.zones.home == (version < 6 ? nil : "Europe/Paris"))
        let verified = try await database.verifications.lastVerification(of: FormerDatabase.server)
        #expect(verified?.records == (version < 11 ? nil : 5))
    }

    /// Returns the number of rows of each table.
    private static func counts(_ path: String) throws -> [String: Int] {
        let connection = try SQLiteConnection(path: path, isReader: true)
        let tables = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) { try $0.text() }
        var counts: [String: Int] = [:]
        for table in tables { counts[table] = try connection.first("SELECT count(*) FROM \(table)") { try $0.int() } }
        try connection.close()
        return counts
    }

    private static func schema(_ path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, isReader: true)
        let texts = try connection.rows("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY type, name") {
            try $0.text()
        }
        try connection.close()
        return texts
    }
}
