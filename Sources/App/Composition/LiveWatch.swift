import HealthSyncCommands
import HealthSyncDomain
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
            ledger: { FileDeliveryLedger(folder: $0.dataDirectory) },
            decoders: decoders, listen: { try await listen($0) }, changes: FileWatch(time: time),
            hasher: LibcryptoHasher(), flush: { console.flush() },
            notify: { ServiceNotifier.notify($0, variables: variables) })
    }

    /// Receives posts until the calling task is cancelled.
    private func listen(_ request: InboxListenRequest) async throws {
        let settings = try LiveInbox.daemonSettings(
            host: request.host, port: request.port, socket: ServiceSocket.passed(variables),
            allowsLAN: request.admitsLocalNetwork)
        try LiveInbox.archive(request.settings).prepare()
        let log = RepeatedEventFilter(
            StandardErrorLog(
                console: console, level: request.settings.logLevel, time: time, random: SystemRandom()), time: time)
        let devices = LiveInbox.devices(request.settings)
        let api = InboxAPI(
            recipients: .home(request.archive, devices: devices), decoders: decoders, hasher: LibcryptoHasher(),
            time: time, log: log,
            pair: LiveInbox.pairing(request.settings, devices: devices, time: time, log: log)
        ) { post in
            request.received(
                ReceivedPost(id: post.id, sender: post.sender, bytes: post.bytes, device: post.head.device))
        }
        let daemon = try HTTPDaemon(
            settings: settings, limits: ServerLimits(), router: api, observer: RequestObservers([]), time: time,
            clock: MonotonicClock(zonesOf: time))
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
