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
