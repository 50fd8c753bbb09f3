import HealthSyncDomain
import HealthSyncEngine

/// `healthsync intervals`
enum IntervalsCommand: Command {
    static let declaration = CommandDeclaration(
        "intervals", "List the intervals by which raw samples travel (stored chunks)",
        discussion: [
            "An interval is a stretch of time of a fixed grid, halved until it holds at most 10,000 steps, or 2,000 "
                + "samples of another type. Each is synced once the server has every sample of it.",
            "Changes and sends nothing; works while another run is at work.",
        ],
        options: [
            .flag("unsynced", "Only those that the server does not have whole"),
            .value("type", "NAME", "Only those of this type", default: "all types that were sent raw"),
        ], examples: ["intervals --unsynced", "intervals --type stepCount --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let table = context.environment.factory.typeTable
        var type: SampleType?
        if let name = context.parsed.text("type") { type = try MetricChoice.type(named: name, table: table).type }
        let (destination, reports) = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.intervalReports()
        }
        let view = IntervalsView(
            destination: destination, reports: reports.filter { type == nil || $0.type == type },
            showsSynced: !context.parsed.has("unsynced"), clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return .done
    }
}
