import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync dashboard`
enum DashboardCommand: Command {
    static let declaration = CommandDeclaration(
        "dashboard", "Show the stored data in the browser",
        discussion: [
            "Serves pages of the local database on the loopback address until Ctrl-C, without any network connection. May run "
                + "during other runs."
        ],
        options: [
            .value("port", "PORT", "Listen on this port of 127.0.0.1; 0 selects a free port", default: "8765"),
            .flag("open", "Open the pages in the browser"),
        ],
        examples: ["dashboard --open", "dashboard --port 0"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let port = UInt16(try context.parsed.integer("port", in: 0...65_535) ?? 8765)
        try await context.withOpenEngine(.reading, settings: settings) { open in
            let opens = context.parsed.has("open")
            let reception = InboxReception(address: context.environment.factory.inbox.usualAddress, state: .none)
            let request = request(
                open, settings, port: port, opensBrowser: opens, reception: { reception }, in: context
            ) { address in
                context.show(
                    text: ["healthsync dashboard at \(address)"], json: ["address": address])
            }
            try await context.environment.factory.showDashboard(request)
        }
        return .done
    }

    /// Returns the parameters of a dashboard that reads by `open`.
    static func request(
        _ open: OpenEngine, _ settings: Settings, port: UInt16, opensBrowser: Bool,
        reception: @escaping @Sendable () -> InboxReception, in context: CommandContext,
        ready: @escaping @Sendable (_ address: String) -> Void
    ) -> DashboardRequest {
        DashboardRequest(
            open: open, shoeActions: LockedShoeActions(context: context, settings: settings),
            outboxActions: LockedOutboxActions(context: context, settings: settings),
            deviceActions: context.environment.factory.inbox.pairedDevices(settings, context.environment),
            reception: reception, clock: settings.clock,
            catalog: MetricCatalog(settings, factory: context.environment.factory),
            notice: notice(settings, in: context, open.engine), port: port, opensBrowser: opensBrowser, ready: ready)
    }

    /// Returns the notice of every page: about the time zone, or that days were recomputed in another zone since the
    /// start, and about days that are out of date.
    private static func notice(
        _ settings: Settings, in context: CommandContext, _ engine: SyncEngine
    ) -> @Sendable () async -> String? {
        { [shown = settings.clock] in
            guard let asked = try? await context.settings(), let stored = try? await engine.zones.run(),
                let counted = stored.days
            else { return nil }
            let choice = ZoneChoice(
                asked, counted: counted, derives: false, time: context.environment.time)
            guard choice.clock.countsDays(as: shown) else {
                return "Days are now in \(counted.zones.name). Restart the dashboard to show them in that time zone."
            }
            let zoneNotice =
                choice.notice
                ?? ZoneEvidence.notice(
                    of: stored.evidence, countedBy: choice.clock, context.environment.time.zoneRules)
            let outOfDate = (try? await engine.outOfDate.run()).flatMap { OutOfDateView(days: $0).sentence }
            let notices = [zoneNotice, outOfDate].compactMap { $0 }
            return notices.isEmpty ? nil : notices.joined(separator: " ")
        }
    }
}
