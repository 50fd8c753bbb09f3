import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync dashboard`
enum DashboardCommand: Command {
    static let declaration = CommandDeclaration(
        "dashboard", "Show the stored data in the browser",
        discussion: [
            "Serves pages of the local database on the loopback address until Ctrl-C. May run during other runs. Connects to "
                + "the configured server only when you press a button of the Sync page."
        ],
        options: [
            .value("port", "PORT", "Listen on this port of 127.0.0.1; 0 selects a free port", default: "8765"),
            .flag("open", "Open the pages in the browser"),
        ],
        examples: ["dashboard --open", "dashboard --port 0"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let port = UInt16(try context.parsed.integer("port", in: 0...65_535) ?? 8765)
        let reception = InboxReception(address: context.environment.factory.inbox.usualAddress, state: .none)
        try await show(
            settings, port: port, opensBrowser: context.parsed.has("open"), reception: { reception }, in: context
        ) { address in
            context.show(text: ["healthsync dashboard at \(address)"], json: ["address": address])
        }
        return .done
    }

    /// Serves the pages until the task is cancelled. Runs that the user started there are then cancelled, too.
    static func show(
        _ settings: Settings, port: UInt16, opensBrowser: Bool,
        reception: @escaping @Sendable () -> InboxReception, in context: CommandContext,
        ready: @escaping @Sendable (_ address: String) -> Void
    ) async throws {
        let runs = PageRuns(context: context.quiet)
        do {
            try await context.withOpenEngine(.reading, settings: settings) { open in
                try await context.environment.factory.showDashboard(
                    DashboardRequest(
                        open: open, shoeActions: LockedShoeActions(context: context, settings: settings),
                        outboxActions: LockedOutboxActions(context: context, settings: settings),
                        deliveryActions: runs,
                        deviceActions: context.environment.factory.inbox.pairedDevices(settings, context.environment),
                        reception: reception, clock: settings.clock,
                        catalog: MetricCatalog(settings, factory: context.environment.factory),
                        notices: notices(settings, in: context, open.engine), port: port, opensBrowser: opensBrowser,
                        ready: ready))
            }
        } catch {
            await runs.stop()
            throw error
        }
        await runs.stop()
    }

    /// Returns the notices of every page: that days are out of date or were recomputed in another zone since the start,
    /// and, in the footer, about the time zone and about changes of the past.
    private static func notices(
        _ settings: Settings, in context: CommandContext, _ engine: SyncEngine
    ) -> @Sendable () async -> PageNotices {
        { [shown = settings.clock] in
            guard let asked = try? await context.settings(), let stored = try? await engine.zones.run(),
                let counted = stored.days
            else { return PageNotices() }
            let choice = ZoneChoice(
                asked, counted: counted, derives: false, time: context.environment.time)
            guard choice.clock.countsDays(as: shown) else {
                return PageNotices(
                    top: "Days are now in \(counted.zones.name). Restart the dashboard to show them in that time zone.")
            }
            let zone =
                choice.notice
                ?? ZoneEvidence.notice(
                    of: stored.evidence, countedBy: choice.clock, context.environment.time.zoneRules)
            let days = try? await engine.outOfDate.run()
            let outOfDate = days?.extent.map {
                PageNotices.OutOfDate(count: days?.count ?? 0, extent: $0, command: OutOfDateView.command)
            }
            let change = try? await engine.history.shown()
            return PageNotices(
                outOfDate: outOfDate, zone: zone, history: change.map { HistoryChangeView(change: $0).text })
        }
    }
}
