import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit

@testable import HealthSyncSQLite

/// Files of former schemas, made by the migrations up to them, with a row in every table.
enum FormerDatabase {
    static let day = StoreFilling.days.first
    static let page = StoreFilling.page(day: day, count: 30, seed: 1)
    static let shoe = "0c9a2b1e-5e1d-4c58-9f61-0a4b3c2d1e0f"
    static let server = "https://one"
    static let digest = ContentDigest(high: 1, low: 2)
    static let exportDate = Instant(seconds: 500)

    struct Row {
        /// The schema versions that contain the table with these columns.
        let versions: ClosedRange<Int64>
        let table: String
        let values: KeyValuePairs<String, any SQLiteBindable>

        init(
            _ table: String, since first: Int64 = 1, through last: Int64 = .max,
            _ values: KeyValuePairs<String, any SQLiteBindable>
        ) {
            versions = first...last
            self.table = table
            self.values = values
        }
    }

    /// Makes a local store with the schema `version`.
    static func make(_ version: Int64, at path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        let connection = try SQLiteConnection(path: path, isReader: false)
        try Migration.migrate(connection, by: Array(Migration.all.prefix(Int(version))))
        // Rows of caches are last, because triggers delete them when their inputs change.
        for row in try samples() + records() + outbox() + shoes() + runs() + caches()
        where row.versions.contains(version) {
            try connection.insert(
                "INSERT INTO \(row.table) (\(row.values.map(\.key).joined(separator: ", ")))",
                rows: [row.values.map(\.value)])
        }
        try connection.close()
    }

    private static func records() -> [Row] {
        let start = day.utcStart.milliseconds
        return [
            Row(
                "daily_progress",
                [
                    "metric": "steps", "day": day, "derived_by": "steps", "source_id": "steps/\(day)", "revision": 3,
                    "start_ms": start, "unit": "count", "quantity": 1_250,
                    "origins": #"[{"source":"Watch","quantity":1250}]"#,
                    "hours": #"[{"start":\#(start),"quantity":1250}]"#,
                ]),
            Row(
                "sleep_session", through: 19,
                [
                    "source_id": "s", "revision": 2, "night": day, "day": day, "start_ms": start,
                    "end_ms": start + 60_000,
                    "offset_s": 3_600, "role": "main", "is_preferred": 1, "source_name": "Watch", "device": "",
                    "is_user_entered": 0, "is_pre_aggregated": 0, "in_bed_ms": 0, "asleep_ms": 60_000, "awake_ms": 0,
                    "core_ms": 60_000, "deep_ms": 0, "rem_ms": 0, "unspecified_ms": 0,
                    "stages": #"[{"stage":"core","start":\#(start),"end":\#(start + 60_000)}]"#,
                ]),
            Row(
                "sleep_session", since: 20,
                [
                    "source_id": "s", "revision": 2, "day": day, "onset_ms": start, "start_ms": start,
                    "end_ms": start + 60_000,
                    "offset_s": 3_600, "role": "main", "counts": 1, "source_name": "Watch", "device": "",
                    "is_user_entered": 0, "is_pre_aggregated": 0, "in_bed_ms": 0, "asleep_ms": 60_000, "awake_ms": 0,
                    "core_ms": 60_000, "deep_ms": 0, "rem_ms": 0, "unspecified_ms": 0,
                    "stages": #"[{"stage":"core","start":\#(start),"end":\#(start + 60_000)}]"#,
                ]),
            Row(
                "former_figure", since: 20, ["metric": "steps", "day": day, "quantity": 1_250, "unit": "count"]),
            Row("notice", since: 21, ["name": "furtherMetrics"]),
            Row("history_change", since: 20, ["version": "0.2.0", "nights": 0, "figures": 0]),
            Row("activity_snapshot", ["day": day, "source_id": "a", "revision": 1, "steps": 1_250]),
            Row("removed_record", through: 7, ["source_id": "steps/2024-01-10", "kind": "progress", "revision": 3]),
            Row(
                "removed_record", since: 8,
                [
                    "source_id": "steps/day/2024-01-10", "kind": "progress", "ordering_key": "steps/2024-01-10",
                    "revision": 3,
                ]),
            Row("day_tracking", ["metric": "steps", "day": day, "digest": digest]),
            Row("counted_days", since: 6, ["id": 1, "home_zone": "Europe/Paris", "stays": "[]", "is_whole": 1]),
            Row("zone_rules", since: 10, ["zone": "Europe/Paris", "digest": digest]),
        ]
    }

    private static func outbox() -> [Row] {
        [
            Row("destination", ["address": server, "last_fence": 4]),
            Row(
                "former_delivery", since: 21,
                ["destination": server, "last_day": day, "metrics": #"["steps"]"#]),
            Row(
                "outbox_batch",
                [
                    "id": 1, "destination": server, "key": "k", "kind": "sleep", "method": "POST", "path": "/sleep",
                    "send_count": 1, "fence": 3, "items": #"[{"item":1,"members":["s"]}]"#,
                    "body": SQLiteValue.blob([1]),
                ]),
            Row(
                "outbox_item",
                [
                    "id": 1, "destination": server, "kind": "sleep", "dedup_key": "s@2", "ordering_key": "s",
                    "revision": 2,
                    "is_tombstone": 0, "state": "pending", "batch_id": 1, "created_at_ms": 1, "updated_at_ms": 1,
                    "member_ids": #"["s"]"#, "payload": SQLiteValue.blob([1]),
                ]),
            Row(
                "delivered", through: 17,
                [
                    "destination": server, "kind": "sleep", "dedup_key": "t@1", "ordering_key": "t", "revision": 1,
                    "is_tombstone": 0, "attempts": 1, "is_dropped": 0, "settled_at_ms": 1,
                ]),
            Row(
                "delivered", since: 18,
                [
                    "destination": server, "kind": "sleep", "dedup_key": "t@1", "ordering_key": "t", "revision": 1,
                    "is_tombstone": 0, "attempts": 1, "is_dropped": 0, "settled_at_ms": 1, "backend_id": "theirs",
                ]),
            Row(
                "layered_type", since: 3,
                [
                    "type_id": 1, "kind": "steps", "measure": "steps", "measure_limit": 10_000, "generation": 1,
                ]),
            Row(
                "sync_interval", since: 3,
                [
                    "type_id": 1, "start_ms": 0, "end_ms": 1_000, "step_count": 5, "sample_count": 1, "id_sum": digest,
                ]),
            Row(
                "interval_delivery", since: 3,
                [
                    "destination": server, "kind": "steps", "start_ms": 0, "synced_at_ms": 9,
                ]),
            Row("sample_revision", since: 3, ["type_id": 1, "id": digest, "revision": 2, "is_deleted": 0]),
            Row("changed_page", since: 3, ["type_id": 1, "day": day, "origin_id": 1]),
            Row(
                "verification", since: 11,
                [
                    "destination": server, "verified_at_ms": 1_000, "verdict": "equal", "records": 5, "samples": 6,
                    "differing": 0, "reason": "",
                ]),
        ]
    }

    private static func shoes() -> [Row] {
        [
            Row("shoe", since: 2, ["id": shoe, "brand": "Salomon", "model": "Speedcross", "added_at_ms": 1_000]),
            Row(
                "shoe_session", since: 2,
                [
                    "id": "7d1f6c1a-2b3c-4d5e-8f90-a1b2c3d4e5f6", "shoe_id": shoe, "start_ms": 2_000, "end_ms": 3_000,
                    "is_auto_started": 0, "is_auto_closed": 1,
                ]),
            Row("shoe_settled", since: 2, ["day": day, "start_ms": 2_000]),
        ]
    }

    private static func runs() -> [Row] {
        [
            Row(
                "run", since: 5,
                [
                    "id": 1, "command": "daily", "started_at_ms": 1_000, "ended_at_ms": 2_000, "ending": "completed",
                    "first_day": day, "last_day": day,
                ]),
            Row(
                "run_metric", since: 5,
                [
                    "run_id": 1, "metric": "steps", "outcome": "synced", "days": 1, "records": 1,
                ]),
            Row(
                "run_failure", since: 5,
                [
                    "run_id": 1, "position": 0, "code": "storage", "subject": "x", "reason": "y", "advice": "z",
                ]),
        ]
    }

    private static func caches() -> [Row] {
        [
            Row(
                "attributed_day", since: 4,
                [
                    "day": "2024-03-01", "rules": digest, "figures": #"[{"shoe":"\#(shoe)","steps":5}]"#,
                ]),
            Row("complete_part", since: 12, ["part": "metric/steps", "rules": digest]),
        ]
    }

    /// Statements that give a database of the current schema the tables of sleep of schema 19.
    static let undoingSleepEpisodes =
        """
        DROP TABLE former_delivery;
        DROP TABLE notice;
        DROP TABLE former_figure;
        DROP TABLE history_change;
        DROP VIEW sleep_episode;
        DROP VIEW sleep_stage;
        """
        + [
            "onset_ms", "counts", "stretches", "counted_in_bed_ms", "counted_asleep_ms", "counted_awake_ms",
            "counted_core_ms", "counted_deep_ms", "counted_rem_ms", "counted_unspecified_ms",
        ].map { "ALTER TABLE sleep_session DROP COLUMN \($0);" }.joined()
            + """
            ALTER TABLE sleep_session ADD COLUMN night TEXT NOT NULL DEFAULT '2024-01-01';
            ALTER TABLE sleep_session ADD COLUMN is_preferred INTEGER NOT NULL DEFAULT 1;
            CREATE INDEX sleep_session_night ON sleep_session (night);
            CREATE VIEW sleep_stage AS SELECT night FROM sleep_session;
            """
}
