package import HealthSyncDomain

/// The last import that the user started on the pages, and its result.
package struct StartedImport: Sendable, Hashable {
    /// The name of the file.
    package var file: String
    /// When it started; once it ended, when it ended.
    package var at: Instant
    /// The result in words; `nil` while the import is in progress.
    package var outcome: String?
    /// Whether everything was imported.
    package var isGood = true

    package init(file: String, at: Instant) {
        self.file = file
        self.at = at
    }
}

/// Imports files on behalf of the user of the pages, under the lock and with the limits of a run on the command line.
package protocol ImportActions: Sendable {
    /// Starts the import of `file`, which continues afterwards. Failures of the import are its outcome.
    ///
    /// Throws `.busy` while another action of the pages is in progress.
    ///
    /// - Parameters:
    ///   - zone: the zone of the user's days, which is also written to the configuration; `nil` for the configured one.
    ///   - ended: called once when the file is no longer needed, also if this method throws.
    func importFile(_ file: UploadedFile, zone: String?, ended: @escaping @Sendable () -> Void) async throws
    /// Returns the last import; `nil` if none was started.
    func lastImport() async -> StartedImport?
    /// Returns the zone that the next import assumes if the user names none; `nil` if a zone is configured or days are
    /// stored, so that the user need not name one.
    func assumedZone() async -> String?
}
