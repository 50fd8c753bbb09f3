import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit

@testable import HealthSyncSQLite

extension FormerDatabase {
    static func samples() throws -> [Row] {
        let type = StoreFilling.type
        let (count, sum) = (page.summary.count, page.summary.sum)
        let (first, last) = (page.summary.firstStart, page.summary.lastEnd)
        let columns = SQLiteValue.blob(page.bytes)
        return [
            Row(
                "sample_type",
                [
                    "id": 1, "identifier": type.type.rawValue, "definition": try TypeDefinitionText.text(of: type),
                    "longest_ms": 90_000,
                ]),
            Row(
                "origin",
                [
                    "id": 1, "provider": "test", "source_name": "Watch", "device": "", "is_user_entered": 0,
                    "is_pre_aggregated": 0,
                ]),
            Row(
                "sample_page",
                [
                    "type_id": 1, "day": day, "origin_id": 1, "count": count, "sum": sum, "first_start_ms": first,
                    "last_end_ms": last, "digest": page.digest, "columns": columns,
                ]),
            Row(
                "sample_tombstone",
                [
                    "type_id": 1, "day": day, "origin_id": 1, "count": count, "sum": sum, "first_start_ms": first,
                    "last_end_ms": last, "digest": page.digest, "export_date_ms": exportDate, "columns": columns,
                ]),
            Row(
                "line_page", since: 9,
                [
                    "type_id": 1, "day": day, "origin_id": 1, "line": 0, "count": count, "sum": sum,
                    "first_start_ms": first, "last_end_ms": last, "digest": page.digest, "columns": columns,
                ]),
            Row(
                "ingested_source",
                [
                    "path": "/x.zip", "provider": "test", "content": "c", "selection": digest,
                    "export_date_ms": exportDate,
                    "ingested_at_ms": 600_000, "is_complete": 1,
                ]),
            Row("snapshot_provider", through: 6, ["provider": "test", "latest_export_date_ms": exportDate]),
            Row(
                "snapshot_type", since: 7, through: 8,
                [
                    "provider": "test", "identifier": type.type.rawValue, "latest_export_date_ms": exportDate,
                ]),
            Row(
                "snapshot_line", since: 9,
                [
                    "provider": "test", "line": 0, "identifier": type.type.rawValue,
                    "latest_export_date_ms": exportDate,
                ]),
            Row("zone_evidence", since: 13, ["provider": "test", "instant_ms": 1_000, "offset_s": 3_600]),
            Row("deleted_sample", since: 16, ["provider": "test", "external_id": "e"]),
        ] + streams(type.type)
    }

    private static func streams(_ type: SampleType) -> [Row] {
        [
            Row(
                "complete_window", since: 16, through: 16,
                [
                    "provider": "test", "type": type.rawValue, "date_ms": 1_000,
                ]),
            Row(
                "complete_window", since: 17,
                [
                    "provider": "test", "type": type.rawValue, "start_ms": 0, "end_ms": 1_000, "version": 1,
                ]),
            Row(
                "window_part", since: 17,
                [
                    "provider": "test", "start_ms": 0, "end_ms": 1_000, "version": 1, "date_ms": 1_000, "is_last": 0,
                    "lists": "[]",
                ]),
            Row(
                "feed_window", since: 17,
                [
                    "provider": "test", "type": type.rawValue, "is_sum": 1, "source_name": "Watch", "first_ms": 0,
                    "last_ms": 1_000,
                ]),
            Row(
                "unsent_sample", since: 17,
                [
                    "type": type.rawValue, "utc_day": "2024-03-01", "day": "2024-03-01", "count": 1,
                ]),
        ]
    }
}
