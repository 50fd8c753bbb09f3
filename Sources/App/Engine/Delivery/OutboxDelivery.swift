package import HealthSyncDomain
package import HealthSyncPorts

/// Sends what waits for one server: at least once on the wire, once by record id in what is stored.
///
/// Cancelling the calling task ends the run gracefully: requests in flight are finished and settled, the rest stays in
/// the outbox, and the report says so.
package struct OutboxDelivery: Sendable {
    let destination: String
    let store: any OutboxStore
    let sender: any OutboxSender
    let time: any TimeSource
    let random: any RandomSource
    let log: any EventLog
    let progress: any ProgressReporter
    let options: DeliveryOptions
    /// Whether the user holds deliveries; `nil` where nobody can.
    let hold: (any DeliveryHold)?
    /// Makes payloads of samples for kinds; `nil` where no items stand for samples.
    let slices: (@Sendable (Set<RecordKind>) async throws -> SliceSource)?

    /// A delivery to the server at the base address `destination`.
    package init(
        destination: String, store: any OutboxStore, sender: any OutboxSender, time: any TimeSource,
        random: any RandomSource, log: any EventLog, progress: any ProgressReporter,
        options: DeliveryOptions = DeliveryOptions(), hold: (any DeliveryHold)? = nil
    ) {
        self.init(
            destination: destination, store: store, sender: sender, time: time, random: random, log: log,
            progress: progress, options: options, hold: hold, slices: nil)
    }

    private init(
        destination: String, store: any OutboxStore, sender: any OutboxSender, time: any TimeSource,
        random: any RandomSource, log: any EventLog, progress: any ProgressReporter, options: DeliveryOptions,
        hold: (any DeliveryHold)?, slices: (@Sendable (Set<RecordKind>) async throws -> SliceSource)?
    ) {
        self.hold = hold
        self.slices = slices
        self.destination = destination
        self.store = store
        self.sender = sender
        self.time = time
        self.random = random
        self.log = log
        self.progress = progress
        self.options = options
    }

    /// A delivery to the server of `ports`; `nil` when none is configured.
    package init?(ports: EnginePorts, options: DeliveryOptions = DeliveryOptions()) {
        guard let server = ports.server else { return nil }
        self.init(
            destination: server.encoder.destination, store: ports.outbox, sender: server.sender, time: ports.time,
            random: ports.random, log: ports.log, progress: ports.progress, options: options, hold: ports.hold,
            slices: { try await SliceSource(ports: ports, encoder: server.encoder, kinds: $0) })
    }

    /// Sends until nothing more can be sent or `deadline` is reached, after which no request begins.
    ///
    /// - Parameter resuming: whether a destination that was paused or disabled is tried again: the user has acted.
    /// - Throws: `SyncFailure` of the store. What servers and networks do is told by the report.
    package func run(until deadline: Instant, resuming: Bool = false) async throws -> DeliveryReport {
        try await DeliveryRun(self, deadline: deadline).execute(resuming: resuming)
    }
}
