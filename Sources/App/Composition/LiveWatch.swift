import HealthSyncCommands
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSystem

/// Connects the watch process to the inbox, the files and the service manager.
struct LiveWatch: Sendable {
    let time: any TimeSource
    let console: Console
    /// The decoders of plug-ins, which are asked before the built-in ones.
    let plugIns: [any InboxDecoder]
    let variables: [String: String]

    /// Returns what `watch` and the commands of the inbox use.
    func factory() -> WatchFactory {
        WatchFactory(
            archive: { archive($0) }, ledger: { FileDeliveryLedger(folder: $0.dataDirectory) },
            decoders: decoders, listen: { try await listen($0) }, changes: FileWatch(time: time),
            hasher: LibcryptoHasher(), flush: { console.flush() },
            notify: { ServiceNotifier.notify($0, variables: variables) })
    }

    private var decoders: [any InboxDecoder] { plugIns + BuiltInInboxDecoders.all(hasher: LibcryptoHasher()) }

    private func archive(_ settings: Settings) -> any InboxArchive {
        FileInboxArchive(folder: settings.dataDirectory + "/inbox")
    }

    /// Receives posts until the calling task is cancelled.
    private func listen(_ request: InboxListenRequest) async throws {
        var settings = DaemonSettings(host: request.host, port: request.port)
        guard settings.isLoopback || request.admitsLocalNetwork else {
            throw SyncFailure(
                .usage, subject: "--listen", reason: "\(request.host) can be reached from other machines",
                advice: "add --lan to admit phones with private addresses, or listen on 127.0.0.1 behind a proxy with TLS")
        }
        settings.acceptsOnlyPrivateAddresses = request.admitsLocalNetwork
        let log = RepeatedEventFilter(StandardErrorLog(console: console, level: .normal), time: time)
        let api = InboxAPI(
            archive: request.archive, decoders: decoders,
            devices: SQLiteAccessTokenStore(path: request.settings.dataDirectory + "/devices.sqlite"),
            hasher: LibcryptoHasher(), time: time, log: log
        ) { id, head, bytes in
            request.received(ReceivedPost(id: id, sender: nil, bytes: bytes, device: head.device))
        }
        let daemon = try HTTPDaemon(
            settings: settings, limits: ServerLimits(), router: api, observer: RequestObservers([]), time: time)
        request.ready(daemon.address)
        do {
            try await daemon.watch()
        } catch is CancellationError {
            // The inbox ends when its task is cancelled.
        }
        // Unstructured: this task is cancelled, but requests in progress are to be finished.
        _ = await Task { await daemon.stop() }.value
    }
}
