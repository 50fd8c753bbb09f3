import HealthSyncDomain

/// The outcome of one metric.
struct OutcomeView {
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
    var refusals: String? {
        guard let skipped, !skipped.isEmpty else { return nil }
        let parts = skipped.sorted { $0.key < $1.key }.map { "\(Figures.grouped($0.value)) \($0.key)" }
        return "  skipped by \(metric): \(parts.joined(separator: ", "))"
    }

    var json: JSONValue {
        switch outcome {
        case .synced(let days, let records):
            synced(days: days, records: records)
        case .nothingNew: ["metric": .string(metric.rawValue), "outcome": "nothingNew"]
        case .deferred(let reason):
            ["metric": .string(metric.rawValue), "outcome": "deferred", "reason": .string(reason)]
        case .failed(let failure):
            [
                "metric": .string(metric.rawValue), "outcome": "failed",
                "error": FailureJSON.value(failure, status: ExitStatus(of: failure)),
            ]
        }
    }

    private func synced(days: Int, records: Int) -> JSONValue {
        let counts: JSONValue = [
            "metric": .string(metric.rawValue), "outcome": "synced", "days": .count(days), "records": .count(records),
        ]
        guard let skipped, case .object(let members) = counts else { return counts }
        let reasons = skipped.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0.key, value: .count($0.value)) }
        return .object(
            members + [
                JSONValue.Member(name: "rejected", value: .object(reasons)),
                JSONValue.Member(name: "refused", value: .object(reasons)),
            ])
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
