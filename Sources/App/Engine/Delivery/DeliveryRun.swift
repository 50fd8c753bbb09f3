import HealthSyncDomain
import HealthSyncPorts

/// One run of a delivery. It claims, freezes and settles one batch after the other; only sending is concurrent.
actor DeliveryRun {
    /// A batch that is leased by this run and not yet sent.
    struct Held {
        var lease: BatchLease
        var until: Instant
    }

    private struct Sent: Sendable {
        var lease: BatchLease
        var verdict: BatchVerdict
        /// How long sending took.
        var milliseconds: Int64
    }

    let delivery: OutboxDelivery
    let deadline: Instant
    let owner: String
    var state = DestinationState()
    var capabilities = DestinationCapabilities(batchLimits: [:])
    var report: DeliveryReport
    /// Why the run is ending; `nil` while it continues.
    var ending: DeliveryReport.Ending?
    /// Nothing is sent before this instant.
    var holdUntil: Instant
    var ready: [Held] = []
    var watch = ServerErrorWatch()
    /// The number of answers in a row that asked for every item again.
    var retryRounds = 0
    /// Makes the payloads of items of raw samples.
    var slices: SliceSource?
    /// The accepted kinds of which something was waiting when the run began.
    var kinds: [RecordKind] = []
    /// The kinds whose learned limit this run has doubled.
    var widened: Set<RecordKind> = []
    /// When the destination last answered, or the run began.
    var answeredAt: Instant
    /// The phase of progress of the present wait; `nil` without one.
    var waitingPhase: String?
    /// The size of a raw sample in a batch, in bytes, as last measured.
    var sampleBytes = 240
    private var progress: DeliveryProgress?

    init(_ delivery: OutboxDelivery, deadline: Instant) {
        self.delivery = delivery
        self.deadline = deadline
        owner = delivery.random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-")
        holdUntil = delivery.time.now()
        answeredAt = holdUntil
        report = DeliveryReport(destination: delivery.destination)
    }

    func execute(resuming: Bool) async throws -> DeliveryReport {
        let waiting = try await delivery.store.waiting(destination: delivery.destination)
        guard !waiting.isEmpty else {
            // A user who asks for a delivery learns whether the destination is available, even if nothing is waiting.
            if resuming, !(delivery.hold?.isSet() ?? false) { try await probe() }
            return report
        }
        state = try await delivery.store.destinationState(delivery.destination)
        if resuming { try await endPause() }
        if state.isDisabled {
            ending = .disabled(reason: state.pausedReason ?? "the server no longer exists")
        } else if let reason = state.pausedReason {
            ending = .paused(reason: reason)
        }
        holdUntil = max(holdUntil, state.notBefore ?? holdUntil)
        noteHold()
        if try await learnCapabilities() {
            kinds = waiting.keys.filter(accepts).sorted { $0.rawValue < $1.rawValue }
            slices = try await delivery.slices?(Set(kinds))
            progress = DeliveryProgress(waiting, reporter: delivery.progress)
            // The first answer may take as long as a request may.
            progress?.show(report)
            try await deliver()
        }
        return try await finalReport()
    }

    private func deliver() async throws {
        let sender = delivery.sender
        let time = delivery.time
        let capabilities = capabilities
        try await withThrowingTaskGroup(of: Sent.self) { group in
            var inFlight = 0
            while true {
                while inFlight < width, let held = try await nextBatch() {
                    inFlight += 1
                    group.addTask {
                        let began = time.now()
                        let verdict = await sender.send(held.lease.batch, capabilities: capabilities)
                        return Sent(
                            lease: held.lease, verdict: verdict,
                            milliseconds: time.now().milliseconds - began.milliseconds)
                    }
                }
                if inFlight > 0, let sent = try await group.next() {
                    inFlight -= 1
                    report.requests += 1
                    note(sent.lease.batch, sent.verdict, milliseconds: sent.milliseconds)
                    try await settle(sent.lease, sent.verdict)
                    progress?.show(report)
                } else if try await !waitForMore() {
                    break
                }
            }
        }
        try await giveBackReady()
    }

    /// After many failures in a row, one batch at a time tests whether the destination is available again.
    private var width: Int { isProbing ? 1 : max(1, delivery.options.concurrency) }

    var isProbing: Bool { state.consecutiveFailures >= delivery.options.policy.breakerThreshold }

    /// Asks for the capabilities until the destination answers; returns false if the run ends before.
    private func learnCapabilities() async throws -> Bool {
        while ending == nil {
            guard await wait(until: holdUntil) else { return false }
            noteHold()
            guard ending == nil else { return false }
            switch await delivery.sender.capabilities() {
            case .capabilities(let answer):
                capabilities = answer
                answeredAt = delivery.time.now()
                return true
            case .failed(.pause(let reason, _)):
                try await pause(reason)
            case .failed(.disable(let reason, _)):
                try await disable(reason)
            case .failed(.retryBatch(let reason, _, let retryAfter)), .failed(.failed(let reason, _, let retryAfter)),
                .failed(.inProgress(let reason, _, let retryAfter)):
                holdUntil = try await noteFailure(reason, retryAfter: retryAfter)
            case .failed(.unknown(let reason)):
                holdUntil = try await noteFailure(reason, retryAfter: nil)
            case .failed(.items), .failed(.bisect), .failed(.tooLarge):
                try await pause("the server does not report what it accepts; check --server")
            }
        }
        return false
    }

    /// Asks whether the destination is available. If it is, ends a pause, which would stop the next delivery.
    private func probe() async throws {
        switch await delivery.sender.capabilities() {
        case .capabilities:
            state = try await delivery.store.destinationState(delivery.destination)
            try await endPause()
        case .failed(let verdict):
            report.ending = .unreachable(reason: verdict.trouble ?? "the server does not report what it accepts")
        }
    }

    /// Ends a pause by the destination, because the user acted.
    private func endPause() async throws {
        guard state.isDisabled || state.pausedReason != nil else { return }
        state.isDisabled = false
        state.pausedReason = nil
        try await remember()
    }

    /// Ends the run if the user paused delivery.
    func noteHold() {
        if delivery.hold?.isSet() ?? false { ending = .held }
    }

    private func accepts(_ kind: RecordKind) -> Bool {
        capabilities.limit(of: kind) != nil && (delivery.slices != nil || !kind.isOfSamples)
    }

    private func finalReport() async throws -> DeliveryReport {
        let counts = try await delivery.store.counts(destination: delivery.destination)
        report.left = (counts[.pending] ?? 0) + (counts[.leased] ?? 0)
        if let ending, report.left > 0 || ending == .cancelled { report.ending = ending }
        if report.ending == .held { report.heldSince = delivery.hold?.since() }
        if report.left > 0, ending == nil {
            let waiting = try await delivery.store.waiting(destination: delivery.destination)
            report.unsupportedKinds = Set(waiting.keys).filter { !accepts($0) }
        }
        return report
    }

    /// Logs the outcome of a batch, without its contents.
    private func note(_ batch: OutboxBatch, _ verdict: BatchVerdict, milliseconds: Int64) {
        let outcome = verdict.status.map { "status \($0)" } ?? verdict.trouble ?? "delivered"
        let what = batch.operation == .delete ? "deletion of \(batch.kind.rawValue)" : batch.kind.rawValue
        delivery.log.note(
            "\(what): \(batch.itemIDs.count) items, \(batch.body.count) bytes, \(outcome) in \(milliseconds) ms",
            level: .debug)
    }
}
