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
    /// The decoders of plug-ins, which are asked before the built-in ones.
    let plugIns: [any InboxDecoder]
    let variables: [String: String]

    /// Returns what `watch` and the commands of the inbox use.
    func factory() -> WatchFactory {
        WatchFactory(
            ledger: { FileDeliveryLedger(folder: $0.dataDirectory) },
            decoders: decoders, listen: { try await listen($0) }, changes: FileWatch(time: time),
            hasher: LibcryptoHasher(), flush: { console.flush() },
            notify: { ServiceNotifier.notify($0, variables: variables) })
    }

    private var decoders: [any InboxDecoder] { plugIns + BuiltInInboxDecoders.all(hasher: LibcryptoHasher()) }

    /// Receives posts until the calling task is cancelled.
    private func listen(_ request: InboxListenRequest) async throws {
        let settings = try LiveInbox.daemonSettings(
            host: request.host, port: request.port, allowsLAN: request.admitsLocalNetwork)
        try LiveInbox.archive(request.settings).prepare()
        let log = RepeatedEventFilter(StandardErrorLog(console: console, level: .normal), time: time)
        let devices = LiveInbox.devices(request.settings)
        let api = InboxAPI(
            archive: request.archive, decoders: decoders, devices: devices, hasher: LibcryptoHasher(), time: time,
            log: log, pair: LiveInbox.pairing(request.settings, devices: devices, time: time)
        ) { id, head, bytes, sender in
            request.received(ReceivedPost(id: id, sender: sender, bytes: bytes, device: head.device))
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
