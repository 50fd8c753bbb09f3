import HealthSyncDomain

/// The sessions that a command started and ended.
struct ShoeSwitchView {
    let change: ShoeSwitch
    let names: ShoeNames
    let clock: DayClock

    var lines: [String] {
        let stopped = change.stopped.map { "ended: \(view($0).line)" }
        let started = change.started.map { "started: \(view($0).line)" }
        return [stopped, started].compactMap { $0 }
    }

    var json: JSONValue {
        [
            "started": change.started.map { view($0).json } ?? .null,
            "stopped": change.stopped.map { view($0).json } ?? .null,
        ]
    }

    private func view(_ session: ShoeSession) -> ShoeSessionView {
        ShoeSessionView(session: session, names: names, clock: clock)
    }
}
