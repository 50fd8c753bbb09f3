import HealthSyncDomain
import HealthSyncEngine

/// `healthsync push`
enum PushCommand: Command {
    static let declaration = CommandDeclaration(
        "push", "Send queued records to the server",
        discussion: [
            "Also retries a server to which delivery stopped because it needs an action by you, such as a new token."
        ], options: options, examples: ["push", "push --deadline 60"], uses: [.server])

    static let options: [OptionDeclaration] = [DeliveryDeadline.option, SyncOptions.concurrency]

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await push(try await context.settings(), as: .push, in: context)
    }

    static func push(
        _ settings: Settings, as command: RunCommand, in context: CommandContext
    ) async throws -> ExitStatus {
        let deadline = try DeliveryDeadline.seconds(context.parsed)
        guard settings.server != nil else { throw SyncFailure.noServer }
        try context.requireDatabase(of: settings)
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.push.run(deadlineSeconds: deadline, resuming: true, as: command)
        }
        guard let report else {
            throw SyncFailure.noServer
        }
        let view = DeliveryView(report: report)
        context.report(
            text: view.lines, json: ["delivery": view.json, "exitStatus": view.status.rawValue], status: view.status)
        return view.status
    }
}
