import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Opening the database")
struct OpeningTests {
    @Test("Folder and files are accessible to their owner only, and closing removes the log")
    func permissions() async throws {
        let temporary = try TemporaryDatabase()
        let folder = temporary.folder + "/new/deeper"
        let path = folder + "/healthsync.db"
        let database = try await SQLiteDatabase.open(at: path, time: temporary.time)
        try await StoreFilling.fill(database)
        let mode = { (path: String) in
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder) == 0o700)
        for file in [path, path + "-wal", path + "-shm"] { #expect(try mode(file) == 0o600) }
        try await database.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try await SQLiteDatabase.open(at: path, time: temporary.time).close()
        #expect(try mode(path) == 0o600)
    }

    @Test("The file has the application id, STRICT tables and write-ahead logging")
    func identity() async throws {
        let temporary = try TemporaryDatabase()
        try await temporary.open().close()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            one = lambda sql: db.execute(sql).fetchone()[0]
            print(hex(one("PRAGMA application_id")), one("PRAGMA user_version"), one("PRAGMA journal_mode"))
            print([row[1] for row in db.execute("PRAGMA table_list") if row[2] == "table" and not row[5]
                and not row[1].startswith("sqlite_")])
            """
        let expected = "0x4853594e \(SQLiteDatabase.schemaVersion) wal\n[]\n"
        #expect(try PythonSQLite.run(script, [temporary.path]) == expected)
    }

    @Test("A file of the first schema is migrated and keeps its content")
    func migration() async throws {
        let temporary = try TemporaryDatabase()
        let log = CollectedEvents()
        let before = try await SQLiteDatabase.open(at: temporary.path, time: temporary.time, log: log)
        let latest = SQLiteDatabase.schemaVersion
        #expect(log.events == ["\(temporary.path): schema migrations 1 to \(latest) applied"])
        try await StoreFilling.fill(before)
        let records = try await before.repository.progress(of: nil, days: StoreFilling.days)
        try await before.close()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.executescript('''\(FormerDatabase.undoingSleepEpisodes)''')
            db.execute("DROP INDEX outbox_item_interval")
            for (trigger,) in db.execute("SELECT name FROM sqlite_schema WHERE name LIKE '%_forgets_days'"
                    " OR name LIKE '%_ends_complete_parts'").fetchall():
                db.execute("DROP TRIGGER " + trigger)
            db.execute("ALTER TABLE daily_progress DROP COLUMN held_ms")
            db.execute("ALTER TABLE delivered DROP COLUMN backend_id")
            for table, column in (
                    ("outbox_item", "interval_start_ms"), ("outbox_item", "interval_s"), ("outbox_item", "samples"),
                    ("outbox_batch", "is_compressed"), ("outbox_batch", "sample_ids")):
                db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            for table in ("unsent_sample", "feed_window", "window_part", "deleted_sample", "complete_window", "zone_evidence", "complete_part", "verification", "zone_rules", "snapshot_line", "line_page", "counted_days", "run_failure", "run_metric", "run", "attributed_day", "changed_page",
                          "sample_revision", "interval_delivery", "sync_interval", "layered_type",
                          "shoe_settled", "shoe_session", "shoe"):
                db.execute("DROP TABLE " + table)
            db.execute("CREATE TABLE snapshot_provider (provider TEXT PRIMARY KEY, latest_export_date_ms INTEGER NOT NULL)"
                " STRICT, WITHOUT ROWID")
            db.execute("INSERT INTO snapshot_provider VALUES ('test', 500000), ('other', 700000)")
            db.execute("PRAGMA user_version = 1")
            db.commit()
            """
        _ = try PythonSQLite.run(script, [temporary.path])
        let after = try await SQLiteDatabase.open(
            at: temporary.path, time: temporary.time, hasher: LibcryptoHasher(), log: log)
        #expect(log.events.dropFirst() == ["\(temporary.path): schema migrations 2 to \(latest) applied"])
        #expect(try await after.repository.progress(of: nil, days: StoreFilling.days) == records)
        #expect(try await after.shoes.shoes() == [])
        #expect(try await after.runs.lastRuns(limit: 9) == [])
        let dates = try await after.pages.changePages { transaction in
            try ["test", "other"].map { try transaction.snapshotDates(provider: $0) }
        }
        let read = SnapshotDates(chosen: [StoreFilling.type.type: Instant(seconds: 500)])
        #expect(dates == [[0: read], [:]])
        try await after.close()
        try PythonSQLite.requireValid(temporary.path)
        try await SQLiteDatabase.open(at: temporary.path, time: temporary.time, log: log).close()
        #expect(log.events.count == 2, "no migration was missing")
    }

    @Test("On a read-only medium the database can be read but not written", .enabled(if: SmallDisk.canMount))
    func readOnlyMedium() async throws {
        let temporary = try TemporaryDatabase()
        try #require(SmallDisk.mount(temporary.folder, size: "8m"))
        defer { _ = SmallDisk.unmount(temporary.folder) }
        let path = temporary.folder + "/strange name?#%41.sqlite"
        let made = try await SQLiteDatabase.open(at: path, time: temporary.time)
        try await StoreFilling.fill(made)
        let records = try await made.repository.progress(of: nil, days: StoreFilling.days)
        try await made.close()
        try #require(SmallDisk.makeReadOnly(temporary.folder))
        let database = try await SQLiteDatabase.open(at: path, access: .readOnly, time: temporary.time)
        #expect(try await database.repository.progress(of: nil, days: StoreFilling.days) == records)
        // Writable again, and changed by another program: the next query sees the change.
        try #require(SmallDisk.mount(temporary.folder, size: "8m", isRemount: true, isWritable: true))
        _ = try PythonSQLite.run(
            "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('DELETE FROM daily_progress'); db.commit(); db.close()",
            [path])
        #expect(try await database.repository.progress(of: nil, days: StoreFilling.days) == [])
        try await database.close()
        try #require(SmallDisk.makeReadOnly(temporary.folder))
        await #expect(throws: SyncFailure.self) {
            try await StoreFilling.fill(try await SQLiteDatabase.open(at: path, time: temporary.time))
        }
    }

    @Test("The schema is the one in docs/schema.sql")
    func schema() async throws {
        let temporary = try TemporaryDatabase()
        try await temporary.open().close()
        let script = """
            import sqlite3, sys
            for (sql,) in sqlite3.connect(sys.argv[1]).execute(
                    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name"):
                print(sql + ";")
            """
        #expect(try PythonSQLite.run(script, [temporary.path]) == ProjectFile.text("docs/schema.sql"))
    }

    @Test(
        "A foreign file is rejected and unchanged",
        arguments: [
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE notes (text)')",
            "import sys; open(sys.argv[1], 'w').write('SQLite format 3 is a file format. ' * 40)",
            "import sys; open(sys.argv[1], 'w').write('x')",
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA application_id = 7')",
        ])
    func foreign(_ script: String) async throws {
        let temporary = try TemporaryDatabase()
        _ = try PythonSQLite.run(script, [temporary.path])
        let before = FileManager.default.contents(atPath: temporary.path)
        for access in [SQLiteDatabase.Access.readWrite, .readOnly] {
            let failure = await #expect(throws: SyncFailure.self) { try await temporary.open(access) }
            #expect(failure?.code == .storage)
            #expect(failure?.reason.contains("not a healthsync database") == true)
            #expect(failure?.advice.isEmpty == false)
        }
        #expect(FileManager.default.contents(atPath: temporary.path) == before)
    }

    @Test("A file of a newer version is rejected and unchanged")
    func newer() async throws {
        let temporary = try TemporaryDatabase()
        try await temporary.open().close()
        _ = try PythonSQLite.run(
            "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')", [temporary.path])
        let before = FileManager.default.contents(atPath: temporary.path)
        let failure = await #expect(throws: SyncFailure.self) { try await temporary.open() }
        #expect(failure?.code == .storage)
        #expect(failure?.advice.contains("update") == true)
        #expect(FileManager.default.contents(atPath: temporary.path) == before)
    }

    @Test("A path that cannot be created is rejected with a reason")
    func cannotBeCreated() async throws {
        let temporary = try TemporaryDatabase()
        try Data("file".utf8).write(to: URL(fileURLWithPath: temporary.folder + "/file"))
        for path in [temporary.folder + "/file/healthsync.db", temporary.folder] {
            let failure = await #expect(throws: SyncFailure.self) {
                try await SQLiteDatabase.open(at: path, time: temporary.time)
            }
            #expect(failure?.code == .storage)
            #expect(failure?.advice.isEmpty == false)
        }
    }

    @Test("Read-only access requires an existing file and rejects writes")
    func readOnly() async throws {
        let temporary = try TemporaryDatabase()
        let missing = await #expect(throws: SyncFailure.self) { try await temporary.open(.readOnly) }
        #expect(missing?.code == .noInput)
        #expect(!FileManager.default.fileExists(atPath: temporary.path))
        let writing = try await temporary.open()
        try await StoreFilling.fill(writing)
        let reading = try await temporary.open(.readOnly)
        #expect(try await reading.repository.recordedMetrics() == [.steps])
        await #expect(throws: SyncFailure.self) { try await reading.tracking.resetTracking(of: nil, days: nil) }
        try await reading.close()
        try await writing.close()
    }
}
