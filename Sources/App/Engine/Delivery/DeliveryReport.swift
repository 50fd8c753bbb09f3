package import HealthSyncDomain
package import HealthSyncPorts

/// The outcome of a delivery.
package struct DeliveryReport: Sendable, Hashable {
    /// Why a delivery ended.
    package enum Ending: Sendable, Hashable {
        /// Nothing more could be sent.
        case finished
        /// The run's deadline passed.
        case deadline
        /// The next attempt is due only after the deadline.
        case waiting(until: Instant)
        /// The destination accepts nothing until the user acts; the reason contains what to do.
        case paused(reason: String)
        /// The destination reported that it no longer exists.
        case disabled(reason: String)
        /// Nothing is waiting, and the destination is not available.
        case unreachable(reason: String)
        /// Nothing is waiting because nothing was ever enqueued for this destination, although records exist.
        case neverOffered
        /// The user paused delivery.
        case held
        /// The task was cancelled; batches in flight were finished.
        case cancelled
    }

    /// The address of the destination.
    package var destination: String
    /// The number of delivered items.
    package var delivered = 0
    /// The number of items rejected permanently; they are kept as dead letters.
    package var dead = 0
    /// The items still waiting, including those of `unsupportedKinds`.
    package var waiting = WaitingCount()
    /// The number of items in `waiting`.
    package var left: Int { waiting.items }
    /// The number of batches sent.
    package var requests = 0
    /// The outcomes of raw samples, including those that were sent again.
    package var samples = SampleCounts()
    /// The number of items in `delivered` that were raw samples.
    package var slices = 0
    /// Waiting kinds that the destination does not accept.
    package var unsupportedKinds: Set<RecordKind> = []
    /// The number of deletions that the destination does not accept; they are among the dead letters.
    package var unsupportedDeletions = 0
    package var ending = Ending.finished
    /// When the user paused delivery; `nil` unless `ending` is `held` and the time is known.
    package var heldSince: Instant?
    /// Why the last batch failed; `nil` once one succeeded.
    package var trouble: String?

    package init(destination: String) { self.destination = destination }

    /// The failure to show if something is waiting or was rejected; `nil` if everything was delivered, or is a
    /// deletion that the destination does not accept.
    package var failure: SyncFailure? {
        switch ending {
        case .finished:
            if dead > unsupportedDeletions {
                failure(
                    (dead == 1 ? "1 item was" : "\(dead) items were") + " rejected by the server",
                    "see `healthsync outbox list`")
            } else if left > 0 {
                failure("\(itemsWait) that this server does not accept", "deliver to a healthsync server")
            } else {
                nil
            }
        case .deadline:
            failure(DeliveryCause.reason(trouble, "time is up, \(itemsWait)"), "run `healthsync push` to send the rest")
        case .waiting(let until):
            failure(
                DeliveryCause.reason(trouble, "\(itemsWait), the next attempt is due on \(Self.minute(until))"),
                "run `healthsync push` later")
        case .paused(let reason):
            failure("paused, \(itemsWait): \(reason)", "once this is fixed, run `healthsync push`")
        case .disabled(let reason):
            failure("stopped, \(itemsWait): \(reason)", "give another --server, or run `healthsync push`")
        case .unreachable(let reason):
            SyncFailure(
                .serverUnavailable, subject: destination,
                reason: DeliveryCause.reason(reason, "nothing is waiting for it"),
                advice: "check the address, the token and the network")
        case .neverOffered:
            failure(
                "nothing was ever queued for this server",
                "run `healthsync push --all`")
        case .held:
            failure(
                DeliveryVerdict.pause(since: heldSince.map(Self.minute)) + ", \(itemsWait)",
                "run `healthsync resume` to continue")
        case .cancelled: failure("stopped, \(itemsWait)", "run `healthsync push` to send the rest")
        }
    }

    /// Returns an instant in UTC, because the failure is stored and may be read in another time zone.
    private static func minute(_ instant: Instant) -> String {
        let text = RFC3339.string(instant)
        return "\(text.prefix(10)) at \(text.dropFirst(11).prefix(5)) UTC"
    }

    private var itemsWait: String { left == 1 ? "1 item waits" : "\(left) items wait" }

    private func failure(_ reason: String, _ advice: String) -> SyncFailure {
        SyncFailure(.deliveryIncomplete, subject: destination, reason: reason, advice: advice)
    }
}

/// The progress of a delivery: records first, then raw samples with their intervals.
struct DeliveryProgress {
    private let waiting: [RecordKind: WaitingItems]
    private let reporter: any ProgressReporter

    init(_ waiting: [RecordKind: WaitingItems], reporter: any ProgressReporter) {
        self.waiting = waiting
        self.reporter = reporter
    }

    /// Reports the progress of `report`.
    func show(_ report: DeliveryReport) {
        let slices = waiting.values.filter { $0.samples > 0 }.reduce(0) { $0 + $1.items }
        let samples = waiting.values.reduce(0) { $0 + $1.samples }
        let records = waiting.values.reduce(0) { $0 + $1.items } - slices
        let done = report.delivered + report.dead - report.slices
        if records > 0 { reporter.report(phase: "delivering", done: Int64(min(done, records)), total: Int64(records)) }
        if samples > 0, report.slices > 0 {
            // The phase name is shown next to the progress bar; one phase is shown at a time.
            reporter.report(
                phase: "sending samples", done: Int64(min(report.samples.answered, samples)), total: Int64(samples),
                detail: "\(report.slices) of \(slices) intervals")
        }
    }
}

/// Shows why a delivery waits, and for how long: `waiting for health.example: cannot connect, try 4, again in 12 s (Ctrl-C keeps
/// everything)`.
struct WaitProgress {
    private let host: Substring
    private let reporter: any ProgressReporter
    /// The phase of the present wait; `nil` without one.
    private var phase: String?

    init(destination: String, reporter: any ProgressReporter) {
        self.reporter = reporter
        // The whole text if it is not a URL.
        host =
            destination.firstRange(of: "://").map { destination[$0.upperBound...].prefix { $0 != "/" } }
            ?? destination[...]
    }

    /// - Parameters:
    ///   - trouble: why nothing can be sent.
    ///   - failures: the attempts that failed.
    ///   - milliseconds: the time until the next attempt.
    mutating func show(_ trouble: String, failures: Int, milliseconds: Int64) {
        let phase = "waiting for \(host): \(trouble)"
        if phase != self.phase { end() }
        self.phase = phase
        let seconds = DurationText.exact(milliseconds: (milliseconds + 999) / 1_000 * 1_000, isWhole: true)
        reporter.report(
            phase: phase, done: 0, total: nil,
            detail: "try \(failures), again in \(seconds) (Ctrl-C keeps everything)")
    }

    mutating func end() {
        if let phase { reporter.report(phase: phase, done: 0, total: 0) }
        phase = nil
    }
}
