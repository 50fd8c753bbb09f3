import HealthSyncDomain

/// `healthsync service install`
enum ServiceInstallCommand: Command {
    static let declaration = CommandDeclaration(
        "service install", "Let systemd run `daily`, `watch` or `backup` for you",
        discussion: [
            "Writes units of your user that run this program with your configuration, and starts them: `daily` and `backup` by "
                + "a timer, `watch` all the time. Without a name installs `daily`. Repeat the command to change options.",
            "With --token-file systemd passes the token as a credential. `sudo loginctl enable-linger $USER` lets services run "
                + "while you are not logged in.",
        ], arguments: [UserService.argument],
        options: [
            .value("listen", "HOST:PORT", "Make `watch` receive posts of phones on this address", default: "none"),
            .flag("lan", "Make `watch` admit devices with private addresses"),
            .optionalValue(
                "dashboard", "HOST:PORT", "Make `watch` show the dashboard too, on this machine only",
                default: "127.0.0.1:8765"),
            .value(
                "backup-dir", "FOLDER", "Write backups into this folder",
                default: "~/.local/share/healthsync-backups"),
            .value("keep", "N", "Keep only the newest N backups", default: "14"),
            .value("unit-dir", "FOLDER", "Write the units into this folder and do not start them"),
            .value("program", "FILE", "Make the units run this program", default: "this one"),
        ],
        examples: [
            "service install", "service install daily backup --keep 30",
            "service install watch --listen 0.0.0.0:8000 --lan --dashboard",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let services = try UserService.named(context.parsed.arguments, usual: [.daily])
        let units = try UserUnits(context)
        try check(context, services)
        var written: [(service: UserService, path: String)] = []
        for service in services {
            written.append((service, try await units.write(try text(of: service, context, units))))
        }
        if !context.parsed.has("unit-dir") {
            _ = try await units.control(["daemon-reload"])
            _ = try await units.control(["enable"] + services.map(\.enabledUnit))
            // Also replaces one that runs with former options.
            _ = try await units.control(["restart"] + services.map(\.enabledUnit))
        }
        context.show(
            text: written.map { "\($0.service.rawValue): \($0.path)" },
            json: ["units": written.map { ["service": $0.service.rawValue, "path": $0.path] as JSONValue }])
        return .done
    }

    private static func check(_ context: CommandContext, _ services: [UserService]) throws(SyncFailure) {
        let needed: [(option: String, service: UserService)] = [
            ("listen", .watch), ("lan", .watch), ("dashboard", .watch), ("backup-dir", .backup), ("keep", .backup),
        ]
        for (option, service) in needed where context.parsed.has(option) && !services.contains(service) {
            throw .usage(
                "--\(option)", "applies to `\(service.rawValue)`",
                advice: "add \(service.rawValue) to the services, or omit the option")
        }
        // A line feed would begin another line of the unit.
        for (option, values) in context.parsed.values
        where values.contains(where: { $0.utf8.contains { $0 < 0x20 } }) {
            throw .usage("--\(option)", "contains a control character", advice: "use another path")
        }
    }

    private static func text(
        of service: UserService, _ context: CommandContext, _ units: UserUnits
    ) throws(SyncFailure) -> UnitText {
        let parsed = context.parsed
        var words = [service.rawValue]
        switch service {
        case .daily: words.append("--quiet")
        case .watch:
            // Reports what `watch` would reject.
            _ = try WatchOptions(parsed)
            if let listen = parsed.text("listen") { words += ["--listen", listen] }
            if parsed.has("lan") { words.append("--lan") }
            if let address = parsed.text("dashboard") {
                words.append(address.isEmpty ? "--dashboard" : "--dashboard=\(address)")
            }
        case .backup:
            let folder = parsed.text("backup-dir").map { absolute($0, context) } ?? "%h/.local/share/healthsync-backups"
            words += [folder + "/", "--keep", "\(try parsed.integer("keep", in: 1...100_000) ?? 14)", "--quiet"]
        }
        let configuration = parsed.text("config") ?? context.environment.variables["HEALTHSYNC_CONFIG"]
        if let configuration, !configuration.isEmpty { words += ["--config", absolute(configuration, context)] }
        if let folder = parsed.text("data-dir") { words += ["--data-dir", absolute(folder, context)] }
        return UnitText(
            service: service, program: parsed.text("program").map { absolute($0, context) } ?? units.factory.program,
            words: words, tokenFile: parsed.text("token-file").map { absolute($0, context) })
    }

    private static func absolute(_ path: String, _ context: CommandContext) -> String {
        PathResolver(home: context.environment.variables["HOME"])
            .absolute(path, from: context.environment.workingDirectory)
    }
}

/// `healthsync service status`
enum ServiceStatusCommand: Command {
    static let declaration = CommandDeclaration(
        "service status", "Show whether systemd runs your services, and when next",
        discussion: ["Exits with status 1 if a service is installed that does not run, or whose last run failed."],
        arguments: [UserService.argument])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let units = try UserUnits(context)
        let services = try UserService.named(context.parsed.arguments, usual: UserService.allCases)
        var states: [UserServiceState] = []
        for service in services { states.append(try await state(of: service, units)) }
        var table = TextTable([.left, .left])
        for state in states { table.add(state.service.rawValue, state.text) }
        context.show(text: table.lines(), json: ["services": states.map(\.json)])
        return states.contains { $0.isInstalled && !$0.isSound } ? .metricFailed : .done
    }

    private static func state(of service: UserService, _ units: UserUnits) async throws -> UserServiceState {
        let names = UserServiceState.properties.joined(separator: ",")
        func properties(_ unit: String) async throws -> [String: String] {
            let output = try await units.control(["show", unit, "--property=\(names)"])
            var values: [String: String] = [:]
            for line in output.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
            }
            return values
        }
        return UserServiceState(
            service: service, enabled: try await properties(service.enabledUnit),
            run: try await properties(service.serviceUnit))
    }
}

/// The state of a user's service, as systemd reports it.
private struct UserServiceState {
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

/// `healthsync service remove`
enum ServiceRemoveCommand: Command {
    static let declaration = CommandDeclaration(
        "service remove", "Stop the services of `service install` and delete their units",
        discussion: ["Without a name removes all of them. Data and backups stay."],
        arguments: [UserService.argument], examples: ["service remove", "service remove watch"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let units = try UserUnits(context)
        let installed = try await units.installed()
        let services = try UserService.named(context.parsed.arguments, usual: installed).filter(installed.contains)
        if !services.isEmpty {
            _ = try await units.control(["disable", "--now"] + services.map(\.enabledUnit))
            for service in services { try await units.delete(service) }
            _ = try await units.control(["daemon-reload"])
        }
        let names = services.map(\.rawValue)
        context.show(
            text: [names.isEmpty ? "no service is installed" : "removed: \(names.joined(separator: ", "))"],
            json: ["removed": names])
        return .done
    }
}
