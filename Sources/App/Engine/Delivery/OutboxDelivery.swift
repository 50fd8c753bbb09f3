package import HealthSyncDomain
package import HealthSyncPorts

/// Delivers the waiting items of one destination: sent at least once, stored once per record id.
///
/// Cancelling the calling task ends the run gracefully: batches in flight are finished and settled, the rest stays in
/// the outbox and is counted in the report.
package struct OutboxDelivery: Sendable {
    let destination: String
    let store: any OutboxStore
    let sender: any HealthRecordSender
    let hasher: any ContentHasher
    let time: any TimeSource
    let random: any RandomSource
    let log: any EventLog
    let progress: any ProgressReporter
    let options: DeliveryOptions
    /// Whether the user paused delivery; `nil` if it cannot be paused.
    let hold: (any DeliveryPause)?
    /// Makes payloads of raw samples; `nil` if the destination accepts none.
    let slices: (@Sendable (Set<RecordKind>) async throws -> SliceSource)?

    /// A delivery of derived records to `destination`.
    package init(
        destination: String, store: any OutboxStore, sender: any HealthRecordSender, hasher: any ContentHasher,
        time: any TimeSource, random: any RandomSource, log: any EventLog, progress: any ProgressReporter,
        options: DeliveryOptions = DeliveryOptions(), hold: (any DeliveryPause)? = nil
    ) {
        self.init(
            destination: destination, store: store, sender: sender, hasher: hasher, time: time, random: random,
            log: log,
            progress: progress, options: options, hold: hold, slices: nil)
    }

    private init(
        destination: String, store: any OutboxStore, sender: any HealthRecordSender, hasher: any ContentHasher,
        time: any TimeSource, random: any RandomSource, log: any EventLog, progress: any ProgressReporter,
        options: DeliveryOptions, hold: (any DeliveryPause)?,
        slices: (@Sendable (Set<RecordKind>) async throws -> SliceSource)?
    ) {
        self.hold = hold
        self.slices = slices
        self.destination = destination
        self.store = store
        self.sender = sender
        self.hasher = hasher
        self.time = time
        self.random = random
        self.log = log
        self.progress = progress
        self.options = options
    }

    /// A delivery to the destination of `ports`; `nil` if none is configured.
    package init?(ports: EnginePorts, options: DeliveryOptions = DeliveryOptions()) {
        guard let server = ports.server else { return nil }
        var slices: (@Sendable (Set<RecordKind>) async throws -> SliceSource)?
        if let encoder = server.sampleEncoder {
            slices = { try await SliceSource(ports: ports, encoder: encoder, kinds: $0) }
        }
        self.init(
            destination: server.address, store: ports.outbox, sender: server.sender, hasher: ports.hasher,
            time: ports.time, random: ports.random, log: ports.log, progress: ports.progress, options: options,
            hold: ports.hold, slices: slices)
    }

    /// Sends until nothing more can be sent or `deadline` is reached. No batch is sent after `deadline`.
    ///
    /// - Parameter resuming: whether to try a paused or disabled destination again, because the user acted.
    /// - Throws: `SyncFailure` of the store. Failures of the destination are in the report.
    package func run(until deadline: Instant, resuming: Bool = false) async throws -> DeliveryReport {
        try await DeliveryRun(self, deadline: deadline).execute(resuming: resuming)
    }

    /// Returns the batch of `items`, with the key of its contents.
    func batch(of items: [OutboxItem], capabilities: DestinationCapabilities) -> OutboxBatch {
        let content = sender.content(of: items.map { OutgoingRecord($0.content) }, capabilities: capabilities)
        return OutboxBatch(of: items, content: content, destination: destination) { hasher.digest($0) }
    }
}

/// The delivery of a run.
struct DeliveryStep: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Sends the queued items; returns `nil` if no server is configured. No request begins after `deadlineSeconds`.
    /// `resuming` retries a server that was paused until the user acts.
    func run(deadlineSeconds: Int64?, resuming: Bool = false) async throws -> DeliveryReport? {
        guard let server = ports.server else { return nil }
        try await LayeringUpdate(ports: ports, settings: settings).settle()
        try await ports.outbox.expireLeases(destination: server.address, now: ports.time.now())
        let deadline = deadlineSeconds.map { ports.time.now().advanced(bySeconds: $0) }
        return try await OutboxDelivery(ports: ports, options: settings.delivery)?
            .run(until: deadline ?? Instant(milliseconds: .max), resuming: resuming)
    }
}

/// Enqueues stored records for a destination that they were never enqueued for, such as a new one.
package struct OutboxBackfill: Sendable {
    private let store: any OutboxStore
    private let destination: HealthDestination

    package init(store: any OutboxStore, destination: HealthDestination) {
        self.store = store
        self.destination = destination
    }

    /// Enqueues the records of `days` and all deletions that were never enqueued for the destination; returns how many
    /// items are new. Each year is one transaction: memory is bounded, and the next run continues an interrupted one.
    package func run(days: DayRange) async throws -> Int {
        let deletions = try await store.missingDeletions(destination: destination.address)
        var enqueued = deletions.isEmpty ? 0 : try await store.enqueue(deletions.map { destination.tombstone($0) })
        for year in DayRange.runs(of: Array(days), atMost: 366) {
            try Task.checkCancellation()
            let missing = try await store.missingRecords(destination: destination.address, days: year)
            let items =
                missing.progress.map { destination.item(for: $0) }
                + missing.sleep.map { destination.item(for: $0) }
                + missing.snapshots.map { destination.item(for: $0) }
            if !items.isEmpty { enqueued += try await store.enqueue(items) }
        }
        return enqueued
    }
}
