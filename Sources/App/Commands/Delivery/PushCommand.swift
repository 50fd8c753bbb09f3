import HealthSyncDomain
import HealthSyncEngine

/// `healthsync push`
enum PushCommand: Command {
    static let declaration = CommandDeclaration(
        "push", "Send queued records to the server",
        discussion: [
            "Also retries a server to which delivery stopped because it needs an action by you, such as a new token."
        ],
        options: [
            .flag(
                "all",
                "Also send the records and raw samples that were never queued for the server: all of them for a new server, "
                    + "or the earlier days of metrics that an upgrade added")
        ] + options, examples: ["push", "push --all", "push --deadline 60"], uses: [.server])

    /// The options of every command that sends what is queued.
    static let options: [OptionDeclaration] = [DeliveryDeadline.option, SyncOptions.concurrency]

    static func run(in context: CommandContext) async throws -> ExitStatus {
        try await push(try await context.settings(), as: .push, in: context)
    }

    /// Sends what is queued and reports it. `retried` is the number of rejected items that were queued again before.
    static func push(
        _ settings: Settings, as command: RunCommand, retried: Int? = nil, in context: CommandContext
    ) async throws -> ExitStatus {
        let deadline = try DeliveryDeadline.seconds(context.parsed)
        guard settings.server != nil else { throw SyncFailure.noServer }
        try context.requireDatabase(of: settings)
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.push.run(
                deadlineSeconds: deadline, resuming: true, all: context.parsed.has("all"), as: command)
        }
        guard let report = report?.delivery else { throw SyncFailure.noServer }
        let view = DeliveryView(report: report)
        let first = retried.map { [JSONValue.Member(name: "retried", value: $0.json)] } ?? []
        let members = [
            JSONValue.Member(name: "delivery", value: view.json),
            JSONValue.Member(name: "exitStatus", value: view.status.rawValue.json),
        ]
        context.report(text: view.lines, json: .object(first + members), status: view.status)
        return view.status
    }
}
