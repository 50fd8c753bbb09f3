import HealthSyncCommands
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem

/// Connects the watch process to the inbox, the files and the service manager.
struct LiveWatch: Sendable {
    let time: any TimeSource
    let console: Console
    let decoders: [any InboxDecoder]
    let variables: [String: String]

    /// Returns what `watch` and the commands of the inbox use.
    func factory() -> WatchFactory {
        WatchFactory(
            archive: { try archive($0) }, ledger: { FileDeliveryLedger(folder: $0.dataDirectory) },
            decoders: decoders, listen: { try await listen($0) }, changes: FileWatch(time: time),
            hasher: LibcryptoHasher(), flush: { console.flush() },
            notify: { ServiceNotifier.notify($0, variables: variables) })
    }

    private func archive(_ settings: Settings) throws -> any InboxArchive {
        throw SyncFailure(.unexpected, subject: "inbox", reason: "not built yet", advice: "")
    }

    private func listen(_ request: InboxListenRequest) async throws {
    }
}
