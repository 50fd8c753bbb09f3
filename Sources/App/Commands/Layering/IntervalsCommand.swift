import HealthSyncDomain
import HealthSyncEngine

/// `healthsync intervals`
enum IntervalsCommand: Command {
    static let declaration = CommandDeclaration(
        "intervals", "List the intervals in which raw samples are sent",
        discussion: [
            "An interval is a part of a fixed time grid, halved until it contains at most 10,000 steps, or 2,000 samples of "
                + "another type. It is synced once the server has all of its samples.",
            "Changes and sends nothing. May run during another run.",
        ],
        options: [
            .flag("unsynced", "List only intervals that are incomplete on the server"),
            .value("type", "NAME", "List only intervals of this type", default: "all types that were sent raw"),
        ], examples: ["intervals --unsynced", "intervals --type stepCount --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let table = context.environment.factory.typeTable
        var type: SampleType?
        if let name = context.parsed.text("type") { type = try MetricChoice.type(named: name, table: table).type }
        let (destination, reports) = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.intervals.run()
        }
        let view = IntervalsView(
            destination: destination, reports: reports.filter { type == nil || $0.type == type },
            showsSynced: !context.parsed.has("unsynced"), clock: settings.clock)
        context.show(charts: view.lines(context.style), json: view.json)
        return .done
    }
}
