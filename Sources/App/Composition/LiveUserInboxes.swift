import HealthSyncCommands
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem

/// Opens the inboxes of a receiving server.
struct LiveUserInboxes {
    let time: any TimeSource

    /// Calls `body` with the inboxes; with `nil` if the server has none.
    ///
    /// - Throws: `SyncFailure` with `.busy` if another server uses the folder, and with `.storage` or `.diskFull`.
    func use(_ request: ServeRequest, _ body: (UserInboxes?) async throws -> Void) async throws {
        guard let inbox = request.inbox else { return try await body(nil) }
        // Each server counts what the posts take, so two of them would exceed the quota.
        let lock = try await RunLock.acquire(inFolder: inbox.folder, waitMilliseconds: 2_000, time: time)
        defer { lock.release() }
        let inboxes = UserInboxes(folder: inbox.folder, quota: inbox.quota)
        try inboxes.prepare()
        try await body(inboxes)
    }
}
