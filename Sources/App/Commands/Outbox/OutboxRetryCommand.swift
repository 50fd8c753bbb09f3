import HealthSyncEngine

/// `healthsync outbox retry`
enum OutboxRetryCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox retry", "Send rejected items again",
        arguments: OutboxSelection.arguments, options: OutboxSelection.options,
        examples: ["outbox retry 12 15", "outbox retry --all"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await OutboxSelection.change(in: context) { try await $0.retry(ids: $1) }
        let verb = count == 1 ? "waits" : "wait"
        context.show(
            text: ["\(Figures.count(count, "item")) \(verb) for the next delivery"], json: ["retried": count])
        return .done
    }
}
