import HealthSyncDomain
package import HealthSyncPorts

/// Creates the objects that pull posts from a server.
package struct PullFactory: Sendable {
    /// Connects to the inbox on a server. Throws `SyncFailure` with `.configuration` for an invalid address or token.
    package var server: @Sendable (Settings.Server, Settings) throws -> any ServerInbox
    /// Opens the local archive of pulled posts, which is that of the inbox.
    package var archive: @Sendable (Settings) -> any PulledPostArchive

    package init(
        server: @escaping @Sendable (Settings.Server, Settings) throws -> any ServerInbox,
        archive: @escaping @Sendable (Settings) -> any PulledPostArchive
    ) {
        self.server = server
        self.archive = archive
    }
}
