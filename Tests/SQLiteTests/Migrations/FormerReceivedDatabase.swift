import Foundation
import HealthSyncDomain

@testable import HealthSyncSQLite

/// Databases of receiving servers with former schemas, made by the migrations up to them, with a row in every table.
enum FormerReceivedDatabase {
    static let ids = [SampleID(high: 1, low: 2), SampleID(high: 3, low: 4)]

    /// Makes a server's database with the schema `version`.
    static func make(_ version: Int64, at path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        let connection = try SQLiteConnection(path: path, isReader: false)
        try Migration.migrate(
            connection, by: Array(ReceivedSchema.migrations.prefix(Int(version))), owner: ReceivedSchema.applicationID)
        let hour = "2024-01-15T09:00:00Z"
        let record = version < 3 ? "steps/hour/\(hour)" : "steps/hour/2024-01-15/\(hour)"
        try connection.executeScript(
            """
            INSERT INTO users VALUES (77, 'anna');
            INSERT INTO series (series_id, user_id, type) VALUES (5, 77, 'steps');
            INSERT INTO origins VALUES (6, 'app', 'Watch', 'count');
            INSERT INTO records VALUES (1, 77, 'progress', '\(record)', 1, 0, 'steps', 'hour', '2024-01-15', 0,
                '{"source_id":"\(record)"}', 0, 0);
            INSERT INTO batch_keys VALUES (77, 'k', x'01', 1000);
            INSERT INTO line_files VALUES (77, 2, 0);
            UPDATE positions SET last = 2;
            """)
        if version < 2 { try storeRows(connection) } else { try storePage(connection) }
        try connection.close()
    }

    private static func storeRows(_ connection: SQLiteConnection) throws {
        for (index, id) in ids.enumerated() {
            let bytes = SQLiteValue.blob(ReceivedPageCodec.encode(ids: [id]))
            try connection.execute(
                "INSERT INTO samples VALUES (?1, 5, ?2, ?3, ?3 + 1000, 7, 6, 0, 0, 0)", index + 1, bytes, index * 1_000)
            try connection.execute("INSERT INTO sample_ids VALUES (5, ?, ?)", bytes, index + 1)
        }
        try connection.execute("UPDATE positions SET indexed = 2")
    }

    private static func storePage(_ connection: SQLiteConnection) throws {
        var columns = ReceivedColumns()
        for (index, id) in ids.enumerated() {
            let start = Instant(milliseconds: Int64(index) * 1_000)
            columns.append(
                ReceivedSample(id: id, start: start, end: start.advanced(byMilliseconds: 1_000), value: 7), origin: 6)
        }
        try ReceivedSamplePages.insert(columns, series: 5, at: 1, over: connection)
    }
}
