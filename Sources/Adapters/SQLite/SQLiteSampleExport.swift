import Foundation
import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport

/// Writes samples to the table `sample` of a new SQLite file, for queries by the user.
package actor SQLiteSampleExport: SampleRowWriter {
    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.export")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    private var connection: SQLiteConnection?
    /// The file that is written; `nil` before `begin` and after the end.
    private var draft: FileDraft?

    /// Creates an export to the file at `path`, readable by its owner only, which gets its name when it is complete.
    package init(path: String) { self.path = path }

    package func begin() throws {
        if FileDetails.exist(path) { throw FileFailure.exists(path) }
        let draft = try creating { () throws(SystemError) in try FileDraft(of: path) }
        self.draft = draft
        let connection = try SQLiteConnection(path: draft.path, isReader: false)
        self.connection = connection
        // The file is not visible before it is complete, so it needs no journal.
        try connection.execute("PRAGMA journal_mode = OFF")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.executeScript(Self.schema)
        try connection.execute("BEGIN")
    }

    package func append(_ rows: [SampleRow]) throws {
        let connection = try opened()
        for row in rows {
            let detail = row.detail
            guard row.value.isFinite else {
                throw SQLiteFailure.notFinite("a sample of \(row.type.rawValue)", path: path)
            }
            try connection.execute(
                "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row.id.description, row.type.rawValue, row.origin.sourceName, row.origin.device,
                RFC3339.string(row.interval.start), RFC3339.string(row.interval.end), row.value, row.unit,
                row.zoneName, row.origin.isUserEntered, row.origin.isPreAggregated, detail?.externalID,
                detail?.syncVersion, detail?.minimum, detail?.maximum, detail?.measurementCount,
                detail?.stateMilliseconds)
        }
    }

    package func finish() throws {
        let connection = try opened()
        try connection.execute("CREATE INDEX sample_type_start ON sample (type, start)")
        try connection.execute("COMMIT")
        self.connection = nil
        try connection.close()
        guard let draft else { return }
        let isNew = try creating { () throws(SystemError) in try draft.createTarget() }
        guard isNew else { throw FileFailure.exists(path) }
        self.draft = nil
    }

    package func discard() {
        try? connection?.close()
        connection = nil
        draft?.discard()
        draft = nil
    }

    private static let schema = """
        CREATE TABLE sample (
            id TEXT NOT NULL,
            type TEXT NOT NULL,
            source_name TEXT NOT NULL,
            device TEXT NOT NULL,
            start TEXT NOT NULL,
            "end" TEXT NOT NULL,
            value REAL NOT NULL,
            unit TEXT NOT NULL,
            zone TEXT,
            is_user_entered INTEGER NOT NULL,
            is_pre_aggregated INTEGER NOT NULL,
            external_id TEXT,
            sync_version INTEGER,
            minimum REAL,
            maximum REAL,
            measurement_count INTEGER,
            state_ms INTEGER
        ) STRICT;
        """

    private func opened() throws -> SQLiteConnection {
        guard let connection else {
            throw SyncFailure(
                .unexpected, subject: path, reason: "the export is not open",
                advice: "report this as a bug")
        }
        return connection
    }

    private func creating<Result>(_ body: () throws(SystemError) -> Result) throws(SyncFailure) -> Result {
        do throws(SystemError) { return try body() } catch { throw FileFailure.cannotCreate(path, error.text) }
    }
}
