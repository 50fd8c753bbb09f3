import HealthSyncDomain

/// What putting on or taking off a shoe led to.
struct ShoeSwitchView {
    let change: ShoeSwitch
    let names: ShoeNames
    let clock: DayClock

    var lines: [String] {
        let stopped = change.stopped.map { "taken off: \(view($0).line)" }
        let started = change.started.map { "put on: \(view($0).line)" }
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
