import HealthSyncDomain
import HealthSyncPorts

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
