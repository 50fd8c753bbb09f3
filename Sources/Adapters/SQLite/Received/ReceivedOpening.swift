import HealthSyncDomain

/// Opens the database of a receiving server for writing: at its start, and again after a failed commit.
struct ReceivedOpening: Sendable {
    /// The result of opening the database.
    struct Opened {
        let transaction: ReceivedTransaction
        let lines: StepsLineFiles?
        /// The identity of the opened file.
        let file: FileIdentity?
    }

    let path: String
    /// The folder and line format of `steps.jsonl`; `nil` for no such files.
    let lines: (folder: String, line: SQLiteReceivedDataStore.LineEncoder)?
    let rewrites: SeriesRewrites

    /// Creates or opens the file, migrates its schema, and brings the line files up to date with the database.
    func open() throws -> Opened {
        try DatabaseFile.prepare(path)
        return try opened { _ in }
    }

    /// Reopens `file` after a commit with an unknown outcome. Checkpoints the whole log first, so that no new pages
    /// follow pages that may never have reached the disk.
    func reopen(file: FileIdentity?) throws -> Opened {
        guard FileIdentity(of: path) == file else { throw Self.replaced(path) }
        return try opened { connection in
            guard try ReceivedCheckpoint.truncate.isComplete(over: connection) else {
                throw SyncFailure(
                    .storage, subject: path, reason: "a reader still uses the write-ahead log",
                    advice: "wait; the server tries again automatically")
            }
        }
    }

    private func opened(_ settle: (SQLiteConnection) throws -> Void) throws -> Opened {
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(
            over: connection, latest: ReceivedSchema.latest, owner: ReceivedSchema.applicationID)
        // Small, because requests may be small and a commit writes every page it touches completely.
        try SQLitePragmas.setUpWriter(connection, pageBytes: 4_096)
        try settle(connection)
        if version < ReceivedSchema.latest {
            try Migration.migrate(
                connection, by: ReceivedSchema.migrations, owner: ReceivedSchema.applicationID)
        }
        let transaction = try ReceivedTransaction(connection: connection, rewrites: rewrites)
        let files = lines.map { StepsLineFiles(folder: $0.folder, line: $0.line) }
        try files?.repairAll(over: connection)
        return Opened(transaction: transaction, lines: files, file: FileIdentity(of: path))
    }

    private static let advice = "check the disk and its free space; the server tries again automatically"

    /// Returns the failure for requests whose commit failed.
    static func unknown(_ path: String, after error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path,
            reason: "the last change may or may not have been stored (\(reason(of: error)))", advice: advice)
    }

    /// Returns the failure for requests after a failed commit, while the database cannot be reopened.
    static func failed(_ path: String, of error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path,
            reason: "nothing can be stored until the database is reopened (\(reason(of: error)))",
            advice: advice)
    }

    /// Returns the failure for requests after the database file was replaced or removed.
    static func replaced(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "the database was removed or replaced",
            advice: "restore the database file, or restart the server to continue with the file that is there now")
    }

    /// Returns the failure for requests before the opening or after the end.
    static func notOpen(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "the database is not open for writing",
            advice: "restart the server")
    }

    private static func reason(of error: any Error) -> String {
        (error as? SyncFailure)?.reason ?? "\(type(of: error))"
    }
}
