import HealthSyncDomain

/// The result of the last verification of a server.
struct VerificationStateView: JSONEncodable {
    let state: VerificationState
    let clock: DayClock

    /// Such as "all 320 records and 42,000 samples verified 2026-11-22 06:26".
    var line: String {
        let words = state.words(number: Figures.grouped)
        guard let last = state.last else { return words.before }
        return "\(words.before) \(Figures.wallClock(last.at, clock))\(words.after)"
    }

    var json: JSONValue {
        guard let last = state.last else { return ["verdict": "never"] }
        return [
            "verdict": last.verdict.rawValue, "at": Figures.local(last.at, clock),
            "records": last.records, "samples": last.samples, "differing": last.differing,
            "reason": last.reason.isEmpty ? nil : last.reason,
            "changedSince": state.hasChangedSince,
        ]
    }
}
