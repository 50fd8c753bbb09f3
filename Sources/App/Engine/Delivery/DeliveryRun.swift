import HealthSyncDomain
import HealthSyncPorts

/// One run of a delivery. The run itself claims, freezes and settles, one after the other; only requests are in flight
/// side by side.
actor DeliveryRun {
    /// A batch that is leased to this run and not yet sent.
    struct Held {
        var lease: BatchLease
        var until: Instant
    }

    private struct Sent: Sendable {
        var lease: BatchLease
        var verdict: ResponseVerdict
        /// From the first byte sent to the answer.
        var milliseconds: Int64
    }

    let delivery: OutboxDelivery
    let deadline: Instant
    let owner: String
    var state = DestinationState()
    var capabilities = DestinationCapabilities.plain
    var report: DeliveryReport
    /// Why the run is to end; `nil` while it goes on.
    var ending: DeliveryReport.Ending?
    /// No request begins before.
    var holdUntil: Instant
    var ready: [Held] = []
    var watch = ServerErrorWatch()
    /// Answers in a row that asked for everything again.
    var retryRounds = 0
    /// Makes the payloads of items that stand for samples.
    var slices: SliceSource?
    /// Kinds of which something waited when the run began, and that the server takes.
    var kinds: [RecordKind] = []
    /// Kinds of which this run has tried more records a request than a 413 once taught.
    var widened: Set<RecordKind> = []
    /// Bytes that a raw sample takes on the wire, as last seen.
    var sampleBytes = 240
    private var progress: DeliveryProgress?

    init(_ delivery: OutboxDelivery, deadline: Instant) {
        self.delivery = delivery
        self.deadline = deadline
        owner = delivery.random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-")
        holdUntil = delivery.time.now()
        report = DeliveryReport(destination: delivery.destination)
    }

    func execute(resuming: Bool) async throws -> DeliveryReport {
        let waiting = try await delivery.store.waiting(destination: delivery.destination)
        guard !waiting.isEmpty else {
            // Who asks for a delivery learns whether the server is there, even where nothing is to be sent.
            if resuming, !(delivery.hold?.isSet() ?? false) { await probe() }
            return report
        }
        state = try await delivery.store.destinationState(delivery.destination)
        if resuming, state.isDisabled || state.pausedReason != nil {
            state.isDisabled = false
            state.pausedReason = nil
            try await remember()
        }
        if state.isDisabled {
            ending = .disabled(reason: state.pausedReason ?? "the server said that it is gone for good")
        } else if let reason = state.pausedReason {
            ending = .paused(reason: reason)
        }
        holdUntil = max(holdUntil, state.notBefore ?? holdUntil)
        noteHold()
        if try await learnCapabilities() {
            kinds = waiting.keys.filter { capabilities.limit(of: $0) != nil }.sorted { $0.rawValue < $1.rawValue }
            slices = try await delivery.slices?(Set(kinds))
            progress = DeliveryProgress(waiting, reporter: delivery.progress)
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

    /// While the breaker is half open one batch at a time shows whether the server is back.
    private var width: Int { isProbing ? 1 : max(1, delivery.options.concurrency) }

    var isProbing: Bool { state.consecutiveFailures >= delivery.options.policy.breakerThreshold }

    /// Asks what the server can do, again and again while it does not answer; false when the run ends before.
    private func learnCapabilities() async throws -> Bool {
        while ending == nil {
            guard await wait(until: holdUntil) else { return false }
            noteHold()
            guard ending == nil else { return false }
            switch await delivery.sender.capabilities() {
            case .capabilities(let answer):
                capabilities = answer
                return true
            case .failed(.pause(let reason, _)):
                try await pause(reason)
            case .failed(.disable(let reason)):
                try await disable(reason)
            case .failed(.retryBatch(let reason, _, let retryAfter)):
                holdUntil = try await noteFailure(reason, retryAfter: retryAfter)
            case .failed(.unknown(let reason)):
                holdUntil = try await noteFailure(reason, retryAfter: nil)
            case .failed(.items), .failed(.bisect), .failed(.tooLarge):
                try await pause("the server does not say what it can do; check --server")
            }
        }
        return false
    }

    private func probe() async {
        if case .failed(let verdict) = await delivery.sender.capabilities() {
            report.ending = .unreachable(reason: verdict.trouble ?? "the server does not state what it can do")
        }
    }

    /// Ends the run when the user holds deliveries.
    func noteHold() {
        if delivery.hold?.isSet() ?? false { ending = .held }
    }

    private func finalReport() async throws -> DeliveryReport {
        let counts = try await delivery.store.counts(destination: delivery.destination)
        report.left = (counts[.pending] ?? 0) + (counts[.leased] ?? 0)
        if let ending, report.left > 0 || ending == .cancelled { report.ending = ending }
        if report.left > 0, ending == nil {
            let waiting = try await delivery.store.waiting(destination: delivery.destination)
            report.unsupportedKinds = Set(waiting.keys).filter { capabilities.limit(of: $0) == nil }
        }
        return report
    }
}
