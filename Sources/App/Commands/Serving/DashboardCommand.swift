import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync dashboard`
enum DashboardCommand: Command {
    static let declaration = CommandDeclaration(
        "dashboard", "Show what is stored in the browser",
        discussion: [
            "Serves pages of the local database on this machine's loopback address until Ctrl-C; nothing outside is "
                + "asked or told. Works while other runs are at work."
        ],
        options: [
            .value("port", "PORT", "Listen on this port of 127.0.0.1; 0 for any free one", default: "8765"),
            .flag("open", "Open the pages in the browser"),
        ],
        examples: ["dashboard --open", "dashboard --port 0"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let port = UInt16(try context.parsed.integer("port", in: 0...65_535) ?? 8765)
        try await context.withEngine(.reading, settings: settings) { engine in
            try await context.environment.factory.showDashboard(
                DashboardRequest(
                    engine: engine, shoeActions: ShoeActionsUnderLock(context: context, settings: settings),
                    outboxActions: OutboxActionsUnderLock(context: context, settings: settings),
                    clock: settings.clock, notice: notice(settings, in: context, engine), port: port,
                    opensBrowser: context.parsed.has("open")
                ) { address in
                    context.show(
                        text: ["healthsync dashboard at \(address)"], json: ["address": .string(address)])
                })
        }
        return .done
    }

    /// The notice on every page: about the zone (as at the start, or that days were recomputed since) and about days that
    /// are out of date.
    private static func notice(
        _ settings: Settings, in context: CommandContext, _ engine: SyncEngine
    ) -> @Sendable () async -> String? {
        { [shown = settings.clock] in
            guard let asked = try? context.settings(), let counted = try? await engine.ports.tracking.countedDays()
            else { return nil }
            let choice = ZoneChoice(
                asked, counted: counted, derives: false, time: context.environment.time)
            guard choice.clock.countsDays(as: shown) else {
                return "Days are counted by \(counted.zones.name) now; start the dashboard again to see them so."
            }
            let evidence = (try? await engine.ports.tracking.zoneEvidence()) ?? []
            let zoneNotice =
                choice.notice
                ?? ZoneEvidence.notice(
                    of: evidence, countedBy: choice.clock, context.environment.time.zoneRules)
            let outOfDate = (try? await engine.outOfDateDays()).flatMap { OutOfDateView(days: $0).sentence }
            let notices = [zoneNotice, outOfDate].compactMap { $0 }
            return notices.isEmpty ? nil : notices.joined(separator: " ")
        }
    }
}
