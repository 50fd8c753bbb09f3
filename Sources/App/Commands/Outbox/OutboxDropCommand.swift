import HealthSyncEngine

/// `healthsync outbox drop`
enum OutboxDropCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox drop", "Delete rejected items permanently",
        arguments: OutboxSelection.arguments, options: OutboxSelection.options,
        examples: ["outbox drop 12 15", "outbox drop --all"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await OutboxSelection.change(in: context) { try await $0.drop(ids: $1) }
        context.show(
            text: ["\(Figures.count(count, "item")) deleted"],
            json: ["dropped": count])
        return .done
    }
}
