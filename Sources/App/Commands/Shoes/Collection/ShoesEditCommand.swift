import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes edit`
enum ShoesEditCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes edit", "Change what is said of a pair of shoes",
        discussion: ["What is not named stays. The value \"none\" takes emoji, colour, day or price away."],
        arguments: [ShoeChoice.argument],
        options: [
            .value("brand", "BRAND", "Who made it"), .value("model", "MODEL", "What it is called"),
        ] + ShoeDetailOptions.options,
        examples: ["shoes edit speedcross 6 --price \"129.95 EUR\" --colour none"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        guard declaration.options.contains(where: { parsed.has($0.name) }) else {
            throw SyncFailure.usage(
                declaration.name, "nothing is to be changed", advice: "see `healthsync help \(declaration.name)`")
        }
        return try await context.change("changed") { engine, shoe in
            var details = try ShoeDetailOptions.stated(parsed, in: shoe.details)
            if let brand = parsed.text("brand") { details.brand = brand }
            if let model = parsed.text("model") { details.model = model }
            return try await engine.editShoe(shoe.id, details)
        }
    }
}
