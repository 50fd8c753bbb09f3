import HealthSyncDomain
import HealthSyncEngine

/// `healthsync shoes add`
enum ShoesAddCommand: Command {
    static let declaration = CommandDeclaration(
        "shoes add", "Add a pair of shoes to the collection",
        arguments: [
            ArgumentDeclaration("BRAND", "The brand"),
            ArgumentDeclaration("MODEL", "The model", repeats: true),
        ],
        options: ShoeDetailOptions.options + [
            .flag("default", "Start a session automatically at the first steps of a day, from today on")
        ],
        examples: [
            "shoes add Salomon Speedcross 6 --price \"139.95 EUR\" --default",
            "shoes add Nike Pegasus --emoji 👟 --purchased 2024-01-02",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let (brand, model) = (context.parsed.arguments[0], context.parsed.arguments.dropFirst().joined(separator: " "))
        let details = try ShoeDetailOptions.applied(context.parsed, to: ShoeDetails(brand: brand, model: model))
        let shoe = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.shoes.run(.add(details, isDefault: context.parsed.has("default")))
        }
        context.showShoe(shoe, "added", clock: settings.clock)
        return .done
    }
}
