/// The state of a user's service, as systemd reports it.
struct UserServiceState {
    /// The properties of units that determine it.
    static let properties = [
        "LoadState", "ActiveState", "UnitFileState", "NextElapseUSecRealtime", "Result", "ExecMainStatus",
        "ExecMainExitTimestamp",
    ]

    let service: UserService
    /// Properties of the unit that is enabled.
    let enabled: [String: String]
    /// Properties of the unit that runs the program.
    let run: [String: String]

    /// Whether systemd knows its unit.
    var isInstalled: Bool { enabled["LoadState"] == "loaded" && enabled["UnitFileState"] != "disabled" }

    /// Whether it is active, and its last run succeeded.
    var isSound: Bool { isActive && (run["Result"] ?? "success") == "success" }

    private var isActive: Bool { enabled["ActiveState"] == "active" }

    /// When the timer starts it next, as systemd writes it; `nil` without a timer.
    private var next: String? { service.time == nil ? nil : stated(enabled, "NextElapseUSecRealtime") }

    /// When the last run ended; `nil` if none ended.
    private var lastEnd: String? { stated(run, "ExecMainExitTimestamp") }

    private func stated(_ properties: [String: String], _ name: String) -> String? {
        guard let text = properties[name], !text.isEmpty, text != "n/a" else { return nil }
        return text
    }

    var text: String {
        guard isInstalled else { return "not installed; `healthsync service install \(service.rawValue)`" }
        var parts = [isActive ? (service.time == nil ? "running" : "waiting") : "not running"]
        if let next { parts.append("next run \(next)") }
        if let lastEnd {
            let result = run["Result"] ?? "success"
            parts.append(
                result == "success"
                    ? "last run succeeded at \(lastEnd)"
                    : "last run failed at \(lastEnd) with status \(run["ExecMainStatus"] ?? ""); see "
                        + "`journalctl --user -u \(service.serviceUnit)`")
        }
        return parts.joined(separator: ", ")
    }

    var json: JSONValue {
        let result = lastEnd == nil ? nil : run["Result"]
        let status = lastEnd == nil ? nil : run["ExecMainStatus"].flatMap { Int($0) }
        return [
            "service": service.rawValue, "unit": service.enabledUnit, "installed": isInstalled, "active": isActive,
            "next": next, "lastEnd": lastEnd, "lastResult": result, "lastStatus": status,
        ]
    }
}
