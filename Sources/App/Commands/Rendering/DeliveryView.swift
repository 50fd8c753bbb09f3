import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The result of a delivery.
struct DeliveryView: JSONEncodable {
    let report: DeliveryReport

    var lines: [String] {
        // Raw samples have a line of their own.
        var parts = ["\(Figures.count(report.delivered - report.slices, "record")) delivered"]
        if report.dead > 0 { parts.append("\(Figures.grouped(report.dead)) rejected") }
        if report.left > 0 {
            let text = report.waiting.text(number: Figures.grouped)
            parts.append("\(report.waiting.intervals > 0 ? text : Figures.grouped(report.left)) waiting")
        }
        var lines = ["\(report.destination): " + parts.joined(separator: ", ")]
        if report.samples.answered > 0 { lines.append("  " + samplesText) }
        if !report.unsupportedKinds.isEmpty {
            let kinds = report.unsupportedKinds.map(\.rawValue).sorted().joined(separator: ", ")
            lines.append("  the server does not accept: \(kinds)")
        }
        if report.unsupportedDeletions > 0 {
            lines.append("  the server does not accept deletions: \(Figures.grouped(report.unsupportedDeletions))")
        }
        if let failure = report.failure { lines.append("  \(failure.reason); \(failure.advice)") }
        return lines
    }

    var json: JSONValue {
        let (ending, reason) = self.ending
        return [
            "server": report.destination, "delivered": report.delivered,
            "rejected": report.dead, "refused": report.dead,
            "samples": samples,
            "left": report.left, "requests": report.requests, "ending": ending,
            "reason": reason, "heldSince": report.heldSince,
            "failure": report.failure.map { FailureJSON.value($0, status: ExitStatus(of: $0)) },
            "unsupportedKinds": report.unsupportedKinds.map(\.rawValue).sorted(),
            "unsupportedDeletions": report.unsupportedDeletions,
        ]
    }

    var status: ExitStatus {
        if report.ending == .cancelled { return .interrupted }
        return report.failure.map { ExitStatus(of: $0) } ?? .done
    }

    /// `598,231 samples sent in 4,120 intervals: 598,231 created`; the parts add up to the samples sent.
    private var samplesText: String {
        let counts = report.samples
        let parts = [
            (counts.created, "created"), (counts.updated, "updated"), (counts.duplicate, "already present"),
            (counts.rejected, "rejected"), (counts.accepted, "accepted"),
        ].filter { $0.0 > 0 }.map { "\(Figures.grouped($0.0)) \($0.1)" }
        return "\(Figures.count(counts.answered, "sample")) sent in \(Figures.count(report.slices, "interval")): "
            + parts.joined(separator: ", ")
    }

    private var samples: JSONValue {
        let counts = report.samples
        return [
            "sent": counts.answered, "created": counts.created, "updated": counts.updated,
            "duplicate": counts.duplicate, "rejected": counts.rejected,
            "accepted": counts.accepted, "taken": counts.accepted,
            "intervals": report.slices,
        ]
    }

    /// The stable JSON word for the ending, and its reason.
    private var ending: (word: String, reason: String?) {
        switch report.ending {
        case .finished: ("finished", nil)
        case .deadline: ("deadline", nil)
        case .waiting(let until): ("waiting", RFC3339.string(until))
        case .paused(let reason): ("paused", reason)
        case .disabled(let reason): ("disabled", reason)
        case .unreachable(let reason): ("unreachable", reason)
        case .neverOffered: ("neverOffered", nil)
        case .held: ("held", nil)
        case .cancelled: ("cancelled", nil)
        }
    }
}
