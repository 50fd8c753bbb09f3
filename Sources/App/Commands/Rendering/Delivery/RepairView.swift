import HealthSyncDomain
import HealthSyncEngine

/// The result of a repair: the differences, the changes, and the verification afterwards.
struct RepairView: JSONEncodable {
    let report: RepairReport
    let clock: DayClock

    var lines: [String] {
        guard !report.found.isEqual else { return left.lines }
        var lines = VerificationView(report: report.found, clock: clock).lines
        let counts = report.counts
        lines.append(
            counts == RepairCounts()
                ? "not repaired"
                : "repaired: \(Figures.count(counts.sent, "sample")) sent, \(Figures.grouped(counts.deleted)) deleted"
                    + records)
        if let failure = report.delivery.failure { lines.append("  \(failure.reason); \(failure.advice)") }
        return counts == RepairCounts() ? lines : lines + left.lines
    }

    private var records: String {
        guard report.found.records != nil else { return "" }
        return "; \(Figures.count(report.counts.recordsSent, "record")) sent,"
            + " \(Figures.grouped(report.counts.recordsDeleted)) deleted"
    }

    /// The verification after the repair, with the member `repair`.
    var json: JSONValue {
        let found = VerificationView(report: report.found, clock: clock)
        let repair: JSONValue = [
            "found": found.types, "foundRecords": found.records, "sent": report.counts.sent,
            "deleted": report.counts.deleted, "recordsSent": report.counts.recordsSent,
            "recordsDeleted": report.counts.recordsDeleted, "delivery": DeliveryView(report: report.delivery),
        ]
        return .joined(left.document(status), ["repair": repair])
    }

    var status: ExitStatus {
        if report.left.isEqual { return left.status }
        let delivery = DeliveryView(report: report.delivery).status
        return delivery == .done ? .different : delivery
    }

    private var left: VerificationView { VerificationView(report: report.left, clock: clock) }
}
