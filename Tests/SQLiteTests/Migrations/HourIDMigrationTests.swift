import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("The migration to ids of hours with a day")
struct HourIDMigrationTests {
    @Test("In the local store, due records are sent under new ids, except the deletion of an hour that exists again")
    func localStore() async throws {
        let temporary = try TemporaryDatabase()
        let before = try await temporary.open()
        let day = StoreFilling.days.first
        var progress = DailyProgress(
            metric: .steps, day: day, start: day.utcStart, unit: "count", figures: ProgressFigures(quantity: 5))
        progress.hours = [
            HourProgress(start: day.utcStart.advanced(bySeconds: 28_800), figures: ProgressFigures(quantity: 5))
        ]
        var commit = SyncCommit(metric: .steps)
        commit.progress = [RevisedRecord(progress, sourceID: "steps/\(day)", revision: 6)]
        try await before.tracking.commit(commit)
        try await before.close()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.executescript('''\(FormerDatabase.undoingSleepEpisodes)''')
            db.executescript('''
                ALTER TABLE daily_progress DROP COLUMN held_ms;
                ALTER TABLE delivered DROP COLUMN backend_id;
                DROP TABLE removed_record;
                CREATE TABLE removed_record (source_id TEXT PRIMARY KEY, kind TEXT NOT NULL, revision INTEGER NOT NULL)
                    STRICT, WITHOUT ROWID;
                INSERT INTO removed_record VALUES ('steps/2024-01-10', 'progress', 3), ('u', 'sleep', 4);
                ALTER TABLE changed_page DROP COLUMN is_former;
                DROP TABLE zone_evidence;
                DROP TABLE unsent_sample;
                DROP TABLE feed_window;
                DROP TABLE window_part;
                DROP TABLE deleted_sample;
                DROP TABLE complete_window;
                DROP TABLE complete_part;
                DROP TRIGGER day_tracking_delete_ends_complete_parts;
                DROP TRIGGER delivered_delete_ends_complete_parts;
                DROP TRIGGER sample_page_delete_ends_complete_parts;
                DROP TRIGGER sample_page_insert_ends_complete_parts;
                DROP TRIGGER sample_page_update_ends_complete_parts;
                DROP TABLE line_page;
                DROP TABLE snapshot_line;
                DROP TABLE verification;
                DROP TABLE zone_rules;
                CREATE TABLE snapshot_type (provider TEXT NOT NULL, identifier TEXT NOT NULL,
                    latest_export_date_ms INTEGER NOT NULL, PRIMARY KEY (provider, identifier)) STRICT, WITHOUT ROWID;
                PRAGMA user_version = 7;
            ''')
            day, start = db.execute("SELECT day, start FROM hour_progress ORDER BY start").fetchone()
            known = lambda *row: db.execute(
                "INSERT INTO delivered (destination, kind, dedup_key, ordering_key, revision, is_tombstone, attempts,"
                " is_dropped, settled_at_ms) VALUES ('https://one', ?, ?, ?, ?, ?, 1, ?, 0)", row)
            known("progress", f"steps/hour/{start}@2", f"steps/{day}", 2, 1, 0)
            known("progress", f"steps/hour/{day}T23:00:00Z@2", f"steps/{day}", 2, 1, 0)
            known("progress", f"steps/{day}@1", f"steps/{day}", 1, 0, 0)
            known("progress", "steps/2024-01-16@1", "steps/2024-01-16", 1, 0, 1)
            known("sleep", "u@4", "u", 4, 1, 0)
            for key, revision in ((f"steps/hour/{day}T23:00:00Z", 5), ("steps/day/2024-01-10", 3)):
                db.execute(
                    "INSERT INTO outbox_item (destination, kind, dedup_key, ordering_key, revision, is_tombstone, state,"
                    " created_at_ms, updated_at_ms, member_ids, payload)"
                    " VALUES ('https://one', 'progress', ?, ?, ?, 1, 'pending', 0, 0, '[]', x'')",
                    (f"{key}@{revision}", "steps/" + key[-10:] if "/day/" in key else f"steps/{day}", revision))
            db.commit()
            """
        _ = try PythonSQLite.run(script, [temporary.path])
        let after = try await temporary.open()
        #expect(
            try await after.outbox.missingDeletions(destination: "https://one").map { "\($0.sourceID)@\($0.revision)" }
                == ["steps/day/2024-01-10@3", "steps/hour/\(day)/\(day)T23:00:00Z@5"])
        #expect(
            try await after.tracking.tombstoneRevisions(of: ["steps/2024-01-10", "steps/\(day)", "u"])
                == ["steps/2024-01-10": 3, "steps/\(day)": 5, "u": 4])
        #expect(
            try await after.outbox.missingRecords(destination: "https://one", days: DayRange(day)).progress.count == 1)
        #expect(try await after.outbox.items(in: nil, destination: nil, limit: 10) == [])
        try await after.close()
        let ledger = """
            import sqlite3, sys
            print([key for (key,) in sqlite3.connect(sys.argv[1]).execute("SELECT dedup_key FROM delivered ORDER BY id")])
            """
        #expect(try PythonSQLite.run(ledger, [temporary.path]) == "['steps/2024-01-16@1', 'u@4']\n")
        try PythonSQLite.requireValid(temporary.path)
    }

    @Test("On a server, hours are renamed, records with new ids stay, and other ids are unchanged")
    func server() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "received.db")
        await (try SQLiteReceivedDataStore.open(at: path, time: ManualTime())).close()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.execute("INSERT INTO users (user_id, name) VALUES (77, 'anna')")
            def record(identity, day, granularity="hour", is_deleted=0):
                db.execute("INSERT INTO records (user_id, kind, id, revision, is_deleted, type, granularity, day, start_ms, body,"
                           " created_ms, updated_ms) VALUES (77, 'progress', ?, 1, ?, 'steps', ?, ?, 0, ?, 0, 0)",
                           (identity, is_deleted, granularity, day, '{"source_id":"%s"}' % identity))
            record("steps/hour/2024-01-15T23:00:00Z", "2024-01-16")
            record("steps/hour/2024-01-15T09:00:00Z", "2024-01-15")
            record("steps/hour/2024-01-15/2024-01-15T09:00:00Z", "2024-01-15")
            record("steps/hour/2024-01-15T10:00:00Z", "1970-01-01", is_deleted=1)
            record("steps/day/2024-01-15", "2024-01-15", "day")
            record("mine", "2024-01-15")
            db.executescript('''
                DROP TABLE sample_sums;
                DROP TABLE id_segments;
                DROP TABLE id_chunks;
                DROP INDEX sample_pages_by_series;
                DROP INDEX records_by_type;
                CREATE INDEX sample_pages_by_series ON sample_pages
                    (series_id, first_position, first_start_ms, last_start_ms, alive, digest_high, digest_low);
                CREATE INDEX records_by_type ON records (user_id, kind, type, granularity, day);
                ALTER TABLE series DROP COLUMN block_end;
                ALTER TABLE series DROP COLUMN last_removed;
                ALTER TABLE positions DROP COLUMN hash_key;
            ''')
            db.execute("PRAGMA user_version = 2")
            db.commit()
            """
        _ = try PythonSQLite.run(script, [path])
        await (try SQLiteReceivedDataStore.open(at: path, time: ManualTime())).close()
        let readRecords = """
            import json, sqlite3, sys
            for identity, body, deleted in sqlite3.connect(sys.argv[1]).execute(
                    "SELECT id, body, is_deleted FROM records ORDER BY id"):
                print(identity, json.loads(body)["source_id"] == identity, deleted)
            """
        #expect(
            try PythonSQLite.run(readRecords, [path]) == """
                mine True 0
                steps/day/2024-01-15 True 0
                steps/hour/2024-01-15/2024-01-15T09:00:00Z True 0
                steps/hour/2024-01-15T10:00:00Z True 1
                steps/hour/2024-01-16/2024-01-15T23:00:00Z True 0

                """)
        try PythonSQLite.requireValid(path)
    }
}
