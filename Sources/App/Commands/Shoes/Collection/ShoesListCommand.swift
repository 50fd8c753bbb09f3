import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes list`
enum ShoesListCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes list", "List all shoes with steps, distance, time worn and cost per kilometre",
        examples: ["shoes list", "shoes list --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let collection = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.shoes.shoeCollection()
        }
        let views = collection.shoes.map { ShoeView($0, in: collection, clock: settings.clock) }
        context.show(
            text: views.isEmpty
                ? ["no shoes yet; run `healthsync shoes add BRAND MODEL` to add some"]
                : ShoeListView(shoes: views).lines(context.style),
            json: ["shoes": views])
        return .done
    }
}
