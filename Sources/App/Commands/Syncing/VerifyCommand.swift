import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync verify`
enum VerifyCommand: Command {
    static let declaration = CommandDeclaration(
        "verify", "Verify that the server and the local database are equal",
        discussion: [
            "Compares digests of raw samples and derived records (days, hours, sleep sessions, activity snapshots and "
                + "deletions), reads details only where they differ, and lists differences. Changes nothing without "
                + "--repair. `status` shows the result of the last complete verification.",
            "Exits with status 0 only if both sides are equal, with 4 if they differ, and with 5 if the server provides no "
                + "digests, or none of derived records, and so cannot be verified.",
            "--repair first sends the waiting records. Then it sends what the server lacks or has with other values, deletes "
                + "what only the server has, and verifies again.",
        ],
        options: [
            .value(
                "type", "NAME", "Verify only samples of this type; may be repeated",
                default: "all types that are sent raw, and all derived records", repeats: true),
            .value("from", "DAY", "Start with this day, YYYY-MM-DD", default: "the first day"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last day"),
            .flag("repair", "Send and delete exactly the differences"),
            .flag("allow-deletions", "Let --repair delete more than a fifth of the server's data"),
            DeliveryDeadline.option,
        ],
        examples: ["verify", "verify --type heartRate --from 2024-01-01 --json", "verify --repair"], uses: [.server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.localSettings()
        let days = try context.parsed.dayRange()
        guard context.parsed.has("repair") else { return try await verify(days, settings, in: context) }
        try context.requireDatabase(of: settings)
        let deadline = try DeliveryDeadline.seconds(context.parsed)
        let allowsDeletions = context.parsed.has("allow-deletions")
        let isComplete = isComplete(days, in: context)
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            let report = try await engine.repair.run(
                types: try await types(in: context, engine), records: !context.parsed.has("type"), days: days,
                allowDeletions: allowsDeletions, deadlineSeconds: deadline)
            if isComplete, let report { try await engine.verdict.remember(report.left) }
            return report
        }
        guard let report else { throw SyncFailure.noServer }
        let view = RepairView(report: report, clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return view.status
    }

    private static func verify(
        _ days: DayRange?, _ settings: Settings, in context: CommandContext
    ) async throws -> ExitStatus {
        let run = VerificationRun(context: context, settings: settings, isComplete: isComplete(days, in: context))
        let report = try await run.run(records: !context.parsed.has("type"), days: days) { engine in
            try await types(in: context, engine)
        }
        let view = VerificationView(report: report, clock: settings.clock)
        let repair =
            report.differing > 0
            ? ["  `healthsync verify --repair`, with the same options, sends and deletes what differs"] : []
        context.show(text: view.lines + repair, json: view.json)
        return view.status
    }

    /// Returns whether the command verifies all types and days.
    private static func isComplete(_ days: DayRange?, in context: CommandContext) -> Bool {
        days == nil && !context.parsed.has("type")
    }

    private static func types(
        in context: CommandContext, _ engine: SyncEngine
    ) async throws -> [SampleTypeDefinition] {
        guard context.parsed.has("type") else { return try await VerificationRun.sentTypes(engine) }
        return try StoredTypes.named(context.parsed.texts("type"), among: try await engine.types.known().all)
    }
}
