import HealthSyncDomain

/// The outcome of one metric.
struct OutcomeView: JSONEncodable {
    let metric: HealthMetric
    let outcome: SyncOutcome
    /// The number of samples that the metric skipped, by reason; `nil` if unknown.
    let skipped: [String: Int]?

    var text: String {
        switch outcome {
        case .synced(let days, let records):
            "\(Figures.count(days, "day")) derived, \(Figures.count(records, "record")) changed"
        case .nothingNew: "nothing new"
        case .deferred(let reason): "deferred: \(reason)"
        case .failed(let failure): "failed: \(failure.description)"
        }
    }

    /// A line about the skipped samples; `nil` without any.
    var rejections: String? {
        guard let skipped, !skipped.isEmpty else { return nil }
        let parts = skipped.sorted { $0.key < $1.key }.map { "\(Figures.grouped($0.value)) \($0.key)" }
        return "  skipped by \(metric): \(parts.joined(separator: ", "))"
    }

    var json: JSONValue {
        switch outcome {
        case .synced(let days, let records):
            synced(days: days, records: records)
        case .nothingNew: ["metric": metric.rawValue, "outcome": "nothingNew"]
        case .deferred(let reason):
            ["metric": metric.rawValue, "outcome": "deferred", "reason": reason]
        case .failed(let failure):
            [
                "metric": metric.rawValue, "outcome": "failed",
                "error": FailureJSON.value(failure, status: ExitStatus(of: failure)),
            ]
        }
    }

    private func synced(days: Int, records: Int) -> JSONValue {
        let counts: JSONValue = [
            "metric": metric.rawValue, "outcome": "synced", "dayCount": days, "days": days,
            "records": records,
        ]
        guard let skipped else { return counts }
        let reasons = JSONValue.object(of: skipped.sorted { $0.key < $1.key })
        return .joined(counts, ["rejectedByReason": reasons, "rejected": reasons, "refused": reasons])
    }

    /// The exit status of the outcome.
    var status: ExitStatus {
        guard case .failed(let failure) = outcome else { return .done }
        switch failure.code {
        case .cancelled: return .interrupted
        case .storage: return .storage
        default: return .metricFailed
        }
    }
}

/// A failure as JSON: `code`, `subject`, `reason`, `advice`, `exitStatus`.
enum FailureJSON {
    static func value(_ failure: SyncFailure, status: ExitStatus) -> JSONValue {
        [
            "code": failure.code.rawValue, "subject": failure.subject,
            "reason": failure.reason, "advice": failure.advice,
            "exitStatus": status.rawValue,
        ]
    }
}
