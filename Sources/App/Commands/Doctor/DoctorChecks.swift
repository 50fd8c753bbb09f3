import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The checks of `doctor`. Each reports at least one finding.
struct DoctorChecks {
    let context: CommandContext

    var environment: CommandEnvironment { context.environment }

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
            findings += await database(settings)
            findings += await stored(settings)
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

    static func paused(_ since: Instant, _ clock: DayClock) -> CheckFinding {
        CheckFinding(
            .warning, "delivery", DeliveryVerdict.pause(since: Figures.wallClock(since, clock)),
            advice: "run `healthsync resume` to send again")
    }

    private static func isLoopback(_ url: String) -> Bool {
        let host = url.dropFirst("http://".count).prefix { $0 != "/" }
        return ["localhost", "127.", "[::1]"].contains { host.lowercased().hasPrefix($0) }
    }

    static func finding(_ error: any Error, subject: String) -> CheckFinding {
        guard let failure = error as? SyncFailure else { return CheckFinding(.error, subject, "\(error)") }
        return CheckFinding(.error, subject, "\(failure.subject): \(failure.reason)", advice: failure.advice)
    }
}
