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
