import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes edit`
enum ShoesEditCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes edit", "Edit the details of a pair of shoes",
        discussion: [
            "Details that are not named do not change. The value \"none\" removes emoji, color, date or price."
        ],
        arguments: [ShoeChoice.argument],
        options: [
            .value("brand", "BRAND", "Set the brand"), .value("model", "MODEL", "Set the model"),
        ] + ShoeDetailOptions.options,
        examples: ["shoes edit speedcross 6 --price \"129.95 EUR\" --color none"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let parsed = context.parsed
        guard declaration.options.contains(where: { parsed.has($0.name) }) else {
            throw SyncFailure.usage(
                declaration.name, "missing option", advice: "see `healthsync help \(declaration.name)`")
        }
        return try await context.change("changed") { shoe in
            var details = try ShoeDetailOptions.applied(parsed, to: shoe.details)
            if let brand = parsed.text("brand") { details.brand = brand }
            if let model = parsed.text("model") { details.model = model }
            return .edit(shoe.id, details)
        }
    }
}
