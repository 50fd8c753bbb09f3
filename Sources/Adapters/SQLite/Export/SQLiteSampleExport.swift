import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// Writes samples to the table `sample` of a new SQLite file, for queries by the user.
package actor SQLiteSampleExport: SampleRowWriter {
    nonisolated private let executor = BlockingQueueExecutor(label: "healthsync.export")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let path: String
    private let files: any LocalFiles
    private let temporaryPath: String
    private var connection: SQLiteConnection?
    /// Whether the temporary file exists and was created by this export.
    private var isBegun = false

    /// Creates an export to the file at `path`, readable by its owner only, which `files` moves into place when
    /// complete.
    package init(path: String, files: any LocalFiles) {
        self.path = path
        self.files = files
        temporaryPath = "\(path).partial-\(ProcessInfo.processInfo.processIdentifier)"
    }

    package func begin() throws {
        var details = stat()
        if unsafe lstat(path, &details) == 0 { throw FileFailure.exists(path) }
        let descriptor = unsafe open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotCreate(errno) }
        close(descriptor)
        isBegun = true
        let connection = try SQLiteConnection(path: temporaryPath, isReader: false)
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
        try makeDurable()
        guard try files.putInPlace(temporaryPath, as: path) else { throw FileFailure.exists(path) }
        isBegun = false
    }

    package func discard() {
        guard isBegun else { return }
        try? connection?.close()
        connection = nil
        _ = unsafe unlink(temporaryPath)
        isBegun = false
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

    private func makeDurable() throws {
        let descriptor = unsafe open(temporaryPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotCreate(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw cannotCreate(errno) }
    }

    private func cannotCreate(_ code: Int32) -> SyncFailure {
        FileFailure.cannotCreate(path, unsafe String(cString: strerror(code)))
    }
}
