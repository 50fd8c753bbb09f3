import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync doctor`
enum DoctorCommand: Command {
    static let declaration = CommandDeclaration(
        "doctor", "Check the configuration, time zone, folders, database, sources and libraries",
        discussion: [
            "Changes nothing. Contacts the server only with --online or --server. Exits with status 1 if a check finds "
                + "an error."
        ], options: [.flag("online", "Check the server too")], uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let findings = await DoctorChecks(context: context).findings()
        let worst = findings.map(\.level).max() ?? .ok
        var table = TextTable([.left, .left, .left])
        for finding in findings {
            let advice = finding.advice.isEmpty ? "" : "; \(finding.advice)"
            table.add(
                [finding.level.rawValue, finding.subject, finding.finding + advice], colors: [0: finding.level.color])
        }
        context.show(
            charts: table.lines(fitting: context.style),
            json: ["worst": worst.rawValue, "findings": findings.map(json)])
        return worst == .error ? .metricFailed : .done
    }

    private static func json(_ finding: CheckFinding) -> JSONValue {
        [
            "level": finding.level.rawValue, "subject": finding.subject,
            "finding": finding.finding, "advice": finding.advice,
        ]
    }
}

extension CheckFinding.Level {
    /// The color of the word on a terminal.
    fileprivate var color: Palette {
        switch self {
        case .ok: .good
        case .warning: .warn
        case .error: .range
        }
    }
}

/// The checks of `doctor`. Each reports at least one finding.
private struct DoctorChecks {
    let context: CommandContext

    private var environment: CommandEnvironment { context.environment }

    func findings() async -> [CheckFinding] {
        var findings = [version]
        do {
            let settings = try await context.settings()
            findings.append(configuration(settings))
            findings += variables
            findings.append(zone(settings))
            findings.append(zoneRules(settings))
            if let notice = try await context.zoneChoice(settings)?.notice {
                findings.append(CheckFinding(.warning, "time zone", notice))
            }
            if let notice = try await context.zoneContradiction(settings) {
                findings.append(CheckFinding(.warning, "time zone", notice))
            }
            findings.append(metrics(settings))
            findings += try await folder(settings)
            let database = await database(settings)
            findings += database
            // A database that cannot be opened fails both checks with one error.
            findings += await stored(settings).filter { !database.contains($0) }
            findings += await sources(settings)
            findings += await inbox(settings)
            findings += await server(settings)
        } catch {
            findings.append(Self.finding(error, subject: "configuration"))
            findings += variables
        }
        return findings + environment.factory.libraries().map { CheckFinding(.ok, $0.name, $0.version) }
    }

    private var version: CheckFinding { CheckFinding(.ok, "healthsync", environment.version) }

    private func configuration(_ settings: Settings) -> CheckFinding {
        CheckFinding(.ok, "configuration", settings.configurationFile ?? "none; using defaults")
    }

    /// Warnings about variables that look like the program's but are not.
    private var variables: [CheckFinding] {
        environment.variables.keys.filter { $0.hasPrefix("HEALTHSYNC_") && !Setting.variables.contains($0) }
            .sorted()
            .map { name in
                let suggestion = Suggestion.nearest(to: name, among: Setting.variables)
                return CheckFinding(
                    .warning, "environment", "unknown variable \(name)",
                    advice: suggestion.map { "did you mean \($0)?" } ?? "unset it")
            }
    }

    private func zone(_ settings: Settings) -> CheckFinding {
        let now = environment.time.now()
        let stays = settings.clock.residences.count
        let also = stays == 0 ? "" : ", with \(Figures.count(stays, "zone change"))"
        return CheckFinding(
            .ok, "time zone",
            "\(settings.clock.home.identifier), now \(Figures.wallClock(now, settings.clock))\(also)")
    }

    private func zoneRules(_ settings: Settings) -> CheckFinding {
        let database = environment.time.zoneDatabase(of: settings.clock.home.identifier)
        let version = database.version ?? "unknown"
        guard let folder = database.folder else {
            return CheckFinding(
                .warning, "zone rules",
                "built-in rules, because the system has no file for \(settings.clock.home.identifier)",
                advice: "install the system package tzdata")
        }
        return CheckFinding(.ok, "zone rules", "\(folder), version \(version)")
    }

    private func folder(_ settings: Settings) async throws -> [CheckFinding] {
        try await BlockingWork.run { [environment] _ in
            FolderCheck(files: environment.files, path: settings.dataDirectory).findings()
        }
    }

    private func metrics(_ settings: Settings) -> CheckFinding {
        do {
            let choice = try MetricChoice(settings: settings, factory: environment.factory)
            try settings.requireSomethingToKeep()
            let names = choice.handlers.map(\.metric.rawValue).joined(separator: ", ")
            let others = choice.furtherHandlers.isEmpty ? "" : ", and every other quantity in the data"
            return CheckFinding(.ok, "metrics", names + others)
        } catch {
            return Self.finding(error, subject: "metrics")
        }
    }

    private func database(_ settings: Settings) async -> [CheckFinding] {
        do {
            guard let status = try await environment.status(of: settings.databasePath) else {
                return [CheckFinding(.ok, "database", "none yet; the first run creates it")]
            }
            var findings = await environment.factory.checkDatabase(settings)
            if status.isReadableByOthers {
                findings.append(
                    CheckFinding(
                        .warning, "database", "other users can read \(settings.databasePath)",
                        advice: "run: chmod 600 \(settings.databasePath)"))
            }
            return findings
        } catch {
            return [Self.finding(error, subject: "database")]
        }
    }

    private func sources(_ settings: Settings) async -> [CheckFinding] {
        if settings.sources.isEmpty {
            return [
                CheckFinding(
                    .warning, "sources", "none configured",
                    advice: "name them with --source or as \"sources\" in the configuration")
            ]
        }
        var findings: [CheckFinding] = []
        for path in settings.sources {
            do {
                let found = try await environment.factory.sources(path, settings)
                for source in found.sources {
                    _ = try await source.fingerprint()
                    findings.append(CheckFinding(.ok, "source", "\(source.location) (\(source.provider))"))
                }
                findings += found.unread.map {
                    CheckFinding(
                        $0.advice.isEmpty ? .ok : .warning, "source",
                        UnreadExportView(export: $0, clock: settings.clock).text)
                }
            } catch {
                findings.append(Self.finding(error, subject: "source"))
            }
        }
        return findings
    }

    /// Checks whether posts wait or could not be decoded, and whether deliveries are missing.
    private func inbox(_ settings: Settings) async -> [CheckFinding] {
        do {
            guard let state = try await InboxState.read(settings, in: environment) else { return [] }
            return [CheckFinding(.ok, "inbox", state.text)]
                + state.warnings.map { CheckFinding(.warning, "inbox", $0.finding, advice: $0.advice) }
        } catch {
            return [Self.finding(error, subject: "inbox")]
        }
    }

    private func server(_ settings: Settings) async -> [CheckFinding] {
        guard let server = settings.server else {
            return [CheckFinding(.ok, "server", "none is configured; nothing is sent")]
        }
        var findings: [CheckFinding] = []
        if server.url.lowercased().hasPrefix("http://"), !Self.isLoopback(server.url) {
            findings.append(
                CheckFinding(
                    .warning, "server", "connections to \(server.url) are not encrypted",
                    advice: "use https://, or a tunnel to a server on this machine"))
        }
        guard context.parsed.has("online") || context.parsed.has("server") else {
            return findings + [
                CheckFinding(.ok, "server", "\(server.url), not contacted", advice: "add --online to contact it")
            ]
        }
        return findings + [await environment.factory.checkServer(settings)]
    }

    private static func paused(_ since: Instant, _ clock: DayClock) -> CheckFinding {
        CheckFinding(
            .warning, "delivery", DeliveryVerdict.pause(since: Figures.wallClock(since, clock)),
            advice: "run `healthsync resume` to send again")
    }

    private static func isLoopback(_ url: String) -> Bool {
        let host = url.dropFirst("http://".count).prefix { $0 != "/" }
        return ["localhost", "127.", "[::1]"].contains { host.lowercased().hasPrefix($0) }
    }

    private static func finding(_ error: any Error, subject: String) -> CheckFinding {
        guard let failure = error as? SyncFailure else { return CheckFinding(.error, subject, "\(error)") }
        return CheckFinding(.error, subject, "\(failure.subject): \(failure.reason)", advice: failure.advice)
    }
}

extension DoctorChecks {
    /// Checks the days, the feeds and the delivery, as `status` reports them; nothing without a database.
    private func stored(_ settings: Settings) async -> [CheckFinding] {
        do {
            guard try await environment.status(of: settings.databasePath) != nil else {
                return environment.factory.deliveryPause(settings).since().map { [Self.paused($0, settings.clock)] }
                    ?? []
            }
            var counted = settings
            if let choice = try await context.zoneChoice(settings) { counted.clock = choice.clock }
            let (report, rough, unknown, stated) = try await context.withEngine(.reading, settings: counted) {
                (
                    try await $0.status.run(), try await $0.status.daysWithoutNotations(),
                    try await $0.status.unknownPreferredNames(), try await $0.zones.statedStays()
                )
            }
            let home = settings.isZoneConfigured ? settings.clock.home : counted.clock.home
            let clock = DayClock(home: home, residences: settings.clock.residences)
            let stays = stated.proposal(for: clock).map { ProposedStays(stays: $0, known: DayZones(clock)) }
            return (stays.map { [Self.stays($0)] } ?? []) + [Self.days(report)]
                + unknown.map(Self.unknownName)
                + [
                    Self.matching(rough), Self.unsentSamples(report), Self.delivery(report, counted.clock),
                    Self.omitted(report), Self.furtherMetrics(report),
                ].compactMap { $0 }
        } catch {
            return [Self.finding(error, subject: "database")]
        }
    }

    private static func stays(_ proposed: ProposedStays) -> CheckFinding {
        CheckFinding(
            .warning, "time zone", "the records state \(proposed.count) that the configuration does not contain",
            advice: "set in the configuration, if these stays are yours: \(proposed.member)")
    }

    private static func days(_ report: StatusReport) -> CheckFinding {
        guard let text = OutOfDateView(days: report.outOfDate).extent else {
            return CheckFinding(.ok, "days", "all up to date")
        }
        return CheckFinding(.warning, "days", text, advice: "run: \(OutOfDateView.command)")
    }

    private static func unknownName(_ name: String) -> CheckFinding {
        CheckFinding(
            .warning, "configuration", "originPriority contains \"\(name)\", which is the name of no stored source",
            advice: "copy the name from: healthsync steps DAY")
    }

    private static func matching(_ days: Int) -> CheckFinding? {
        guard days > 0 else { return nil }
        return CheckFinding(
            .warning, "matching",
            "\(CountText.of(days, "day")) of exports \(days == 1 ? "is" : "are") compared with a phone app without the"
                + " units of the export, which an earlier version did not store",
            advice: "run: healthsync historical --source EXPORT")
    }

    private static func unsentSamples(_ report: StatusReport) -> CheckFinding? {
        report.unsent.summary.map {
            CheckFinding(
                .warning, "feeds", $0,
                advice: "the export contains them; import exports regularly, or send these days again from the app")
        }
    }

    /// Returns the number of records that are not sent by default, which is no problem.
    private static func omitted(_ report: StatusReport) -> CheckFinding? {
        report.omitted.map { CheckFinding(.ok, "earlier days", FurtherMetricsText.of($0)) }
    }

    private static func furtherMetrics(_ report: StatusReport) -> CheckFinding? {
        report.hasFurtherMetrics ? CheckFinding(.ok, "metrics", FurtherMetricsText.notice) : nil
    }

    /// Returns a warning if the user paused delivery or must act; `nil` otherwise.
    private static func delivery(_ report: StatusReport, _ clock: DayClock) -> CheckFinding? {
        let isRejected = report.outbox[.dead, default: 0] > 0
        if let since = report.heldSince, !isRejected { return paused(since, clock) }
        let verdict = report.verdict(number: Figures.grouped) { Figures.wallClock($0, clock) }
        guard let verdict, verdict.tone == .bad else { return nil }
        let text = [verdict.statement, verdict.reason].compactMap { $0 }.joined(separator: ": ")
        let command = isRejected ? "outbox list" : verdict.at == nil ? "push" : "verify"
        return CheckFinding(.warning, "delivery", text, advice: "run: healthsync \(command)")
    }
}

/// Checks that the data folder is private and writable, and that its disk has free space.
private struct FolderCheck {
    let files: any LocalFiles
    let path: String

    func findings() -> [CheckFinding] {
        do {
            guard let status = try files.status(of: path) else {
                let parent = existingParent
                guard files.isWritable(parent) else {
                    return [
                        CheckFinding(
                            .error, "data folder", "\(path) cannot be created, because \(parent) is not writable",
                            advice: "name another with --data-dir")
                    ]
                }
                return [CheckFinding(.ok, "data folder", "\(path), created by the first run")]
                    + freeSpace(at: parent)
            }
            return [folder(status)] + freeSpace(at: path)
        } catch {
            return [CheckFinding(.error, "data folder", "\(error.subject): \(error.reason)", advice: error.advice)]
        }
    }

    private func folder(_ status: LocalFileStatus) -> CheckFinding {
        if !status.isFolder {
            return CheckFinding(
                .error, "data folder", "\(path) is not a folder", advice: "name another with --data-dir")
        }
        if !files.isWritable(path) {
            return CheckFinding(
                .error, "data folder", "\(path) is not writable",
                advice: "change its permissions, or name another with --data-dir")
        }
        if status.permissions & 0o077 != 0 {
            return CheckFinding(
                .warning, "data folder", "other users can access \(path)", advice: "run: chmod 700 \(path)")
        }
        return CheckFinding(.ok, "data folder", path)
    }

    private func freeSpace(at path: String) -> [CheckFinding] {
        guard let free = files.freeBytes(at: path) else { return [] }
        let megabytes = Int(free / 1_000_000)
        let text = "\(Figures.grouped(megabytes)) MB free"
        if megabytes < 50 { return [CheckFinding(.error, "disk", text, advice: "free some space")] }
        if megabytes < 1_000 { return [CheckFinding(.warning, "disk", text, advice: "free some space soon")] }
        return [CheckFinding(.ok, "disk", text)]
    }

    private var existingParent: String {
        var parent = path
        while parent != "/", (try? files.status(of: parent)) ?? nil == nil {
            parent = "/" + parent.split(separator: "/").dropLast().joined(separator: "/")
        }
        return parent
    }
}
