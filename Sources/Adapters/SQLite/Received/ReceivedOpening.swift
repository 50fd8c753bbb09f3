import HealthSyncDomain

/// Opens the database of a receiving server for writing: at its start, and anew after a commit that failed.
struct ReceivedOpening: Sendable {
    /// What an opening comes to.
    struct Opened {
        let transaction: ReceivedTransaction
        let lines: StepsLineFiles?
        /// The file that was opened.
        let file: FileIdentity?
    }

    let path: String
    /// Folder and form of `steps.jsonl`; `nil` for none.
    let lines: (folder: String, line: SQLiteReceivedDataStore.LineEncoder)?

    /// Makes or opens the file, brings its schema up to date, and the line files up to the database.
    func first() throws -> Opened {
        try DatabaseFile.prepare(path)
        return try opened { _ in }
    }

    /// Opens `file` after a commit of which nobody knows what became. All that the log holds is brought into the database
    /// first: what follows does not stand behind pages that may never have reached the disk.
    func again(file: FileIdentity?) throws -> Opened {
        guard FileIdentity(of: path) == file else { throw Self.replaced(path) }
        return try opened { connection in
            guard try ReceivedCheckpoint.truncate.isDone(over: connection) else {
                throw SyncFailure(
                    .storage, subject: path, reason: "somebody reads what has yet to be brought into the database",
                    advice: "nothing: that ends by itself")
            }
        }
    }

    private func opened(_ settle: (SQLiteConnection) throws -> Void) throws -> Opened {
        let connection = try SQLiteConnection(path: path, isReader: false)
        SQLitePragmas.setBusyTimeout(of: connection)
        let version = try DatabaseFile.schemaVersion(
            over: connection, latest: ReceivedSchema.latest, owner: ReceivedSchema.applicationID)
        // Small: requests may be small, and every page that a commit touches is written whole.
        try SQLitePragmas.setUpWriter(connection, pageBytes: 4_096)
        try settle(connection)
        if version < ReceivedSchema.latest {
            try Migration.bringUpToDate(
                connection, by: ReceivedSchema.migrations, owner: ReceivedSchema.applicationID)
        }
        let transaction = try ReceivedTransaction(connection: connection)
        let files = lines.map { StepsLineFiles(folder: $0.folder, line: $0.line) }
        try files?.bringUpToDate(over: connection)
        return Opened(transaction: transaction, lines: files, file: FileIdentity(of: path))
    }

    private static let advice = "check the disk and the space left on it; the server tries again by itself"

    /// What those are told whose commit failed.
    static func unknown(_ path: String, after error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path,
            reason: "the last change may or may not have been stored (\(reason(of: error)))", advice: advice)
    }

    /// What those are told who come after a failed commit while the database cannot be opened anew.
    static func failed(_ path: String, of error: any Error) -> SyncFailure {
        SyncFailure(
            .storage, subject: path,
            reason: "nothing is stored until the database can be opened anew (\(reason(of: error)))",
            advice: advice)
    }

    /// What those are told who come after another file took the place of the database.
    static func replaced(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "another file stands where the database was, or none",
            advice: "put the database back, or start the server again to go on with what stands there now")
    }

    /// What those are told who come before the opening or after the end.
    static func notOpen(_ path: String) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "the database is not open for writing",
            advice: "start the server again")
    }

    private static func reason(of error: any Error) -> String {
        (error as? SyncFailure)?.reason ?? "\(type(of: error))"
    }
}
