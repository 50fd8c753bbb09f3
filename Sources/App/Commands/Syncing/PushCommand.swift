import HealthSyncDomain
import HealthSyncEngine

/// `healthsync push`
enum PushCommand: Command {
    static let declaration = CommandDeclaration(
        "push", "Send queued records to the server",
        discussion: [
            "Also retries a server to which delivery stopped because it needs an action by you, such as a new token."
        ], options: options, examples: ["push", "push --deadline 60"])

    static let options: [OptionDeclaration] = [DeliveryDeadline.option, SyncOptions.concurrency]

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await push(try await context.settings(), as: .push, in: context)
    }

    static func push(
        _ settings: Settings, as command: RunCommand, in context: CommandContext
    ) async throws -> ExitStatus {
        let deadline = try DeliveryDeadline.seconds(context.parsed)
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.push.run(deadlineSeconds: deadline, resuming: true, as: command)
        }
        guard let report else {
            throw SyncFailure.noServer
        }
        let view = DeliveryView(report: report)
        context.show(
            text: view.lines, json: ["delivery": view.json, "exitStatus": view.status.rawValue])
        return view.status
    }
}
