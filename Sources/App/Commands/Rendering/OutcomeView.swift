import HealthSyncDomain

/// How one metric's work ended.
struct OutcomeView {
    let metric: HealthMetric
    let outcome: SyncOutcome

    var text: String {
        switch outcome {
        case .synced(let days, let records):
            "\(Figures.count(days, "day")) derived, \(Figures.count(records, "record")) changed"
        case .nothingNew: "nothing new"
        case .deferred(let reason): "put off: \(reason)"
        case .gaveUp(let failure): "failed: \(failure.description)"
        }
    }

    var json: JSONValue {
        switch outcome {
        case .synced(let days, let records):
            [
                "metric": .string(metric.rawValue), "outcome": "synced", "days": .count(days),
                "records": .count(records),
            ]
        case .nothingNew: ["metric": .string(metric.rawValue), "outcome": "nothingNew"]
        case .deferred(let reason):
            ["metric": .string(metric.rawValue), "outcome": "deferred", "reason": .string(reason)]
        case .gaveUp(let failure):
            [
                "metric": .string(metric.rawValue), "outcome": "failed",
                "error": FailureJSON.value(failure, status: ExitStatus(of: failure)),
            ]
        }
    }

    /// Whether the run as a whole must not look like success.
    var status: ExitStatus {
        guard case .gaveUp(let failure) = outcome else { return .done }
        switch failure.code {
        case .cancelled: return .interrupted
        case .storage: return .storage
        default: return .metricFailed
        }
    }
}
