import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync shoes show`
enum ShoesShowCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes show", "Show a pair of shoes with its totals and sessions",
        discussion: ["Lists the last ten sessions; with --json all of them."],
        arguments: [ShoeChoice.argument], examples: ["shoes show speedcross 6"])

    /// The number of sessions that the text output shows.
    private static let shownSessions = 10

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        return try await context.withEngine(.reading, settings: settings) { engine in
            let shoe = try ShoeChoice.shoe(context.parsed.arguments, among: try await engine.shoes.all())
            let collection = try await engine.shoes.shoeCollection()
            let view = ShoeView(shoe, in: collection, clock: settings.clock)
            let names = ShoeNames(collection.shoes)
            let sessions = collection.sessions.all.filter { $0.shoe == shoe.id }.map {
                ShoeSessionView(session: $0, names: names, clock: settings.clock)
            }
            var table = TextTable([.left, .left])
            for session in sessions.suffix(shownSessions).reversed() { table.add(session.period, session.remark) }
            table.cut(1, toFit: context.style.width, indentation: 2)
            let latest = sessions.isEmpty ? [] : ["last worn"] + table.lines(indentation: 2)
            context.show(
                text: view.lines(context.style) + latest,
                json: ["shoe": view.json, "sessions": sessions])
            return .done
        }
    }
}
