import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes default`
enum ShoesDefaultCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes default", "Choose the shoes whose session starts automatically at the first steps of a day",
        arguments: [ShoeChoice.optionalArgument], options: [.flag("none", "Choose no default shoes")],
        examples: ["shoes default speedcross 6", "shoes default --none"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        guard context.parsed.has("none") == context.parsed.arguments.isEmpty else {
            throw SyncFailure.usage(
                declaration.name, "requires either a shoe or --none", advice: "see `healthsync shoes list`")
        }
        let shoe = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.setDefault(try await context.namedShoe(engine)?.id))
        }
        context.show(
            text: [shoe.map { "default: \(ShoeNames.label($0))" } ?? "no default shoes"],
            json: ["defaultShoe": shoe.map { ShoeView.details($0, settings.clock) } ?? .null])
        return .done
    }
}
