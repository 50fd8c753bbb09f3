import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes add`
enum ShoesAddCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes add", "Take a pair of shoes into the collection",
        arguments: [
            ArgumentDeclaration("BRAND", "Who made it"),
            ArgumentDeclaration("MODEL", "What it is called", repeats: true),
        ],
        options: ShoeDetailOptions.options + [
            .flag("default", "Put it on by itself with a day's first steps, from today on")
        ],
        examples: [
            "shoes add Salomon Speedcross 6 --price \"139.95 EUR\" --default",
            "shoes add Nike Pegasus --emoji 👟 --purchased 2024-01-02",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let (brand, model) = (context.parsed.arguments[0], context.parsed.arguments.dropFirst().joined(separator: " "))
        let details = try ShoeDetailOptions.stated(context.parsed, in: ShoeDetails(brand: brand, model: model))
        let shoe = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.addShoe(details, isDefault: context.parsed.has("default"))
        }
        context.showShoe(shoe, "added", clock: settings.clock)
        return .done
    }
}
