import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync verify`
enum VerifyCommand: Command {
    static let declaration = CommandDeclaration(
        "verify", "Prove that the server holds exactly what is stored locally",
        discussion: [
            "Compares raw samples and derived records (days, hours, sleep sessions, activity snapshots and what was "
                + "deleted) by digests, goes into detail only where these differ, and names what differs. Nothing is "
                + "changed, locally or on the server, without --repair. `status` shows the result of the last "
                + "verification of everything.",
            "Exits 0 only when both sides are equal, and 4 when they differ. A server that answers no digests, or none of "
                + "derived records, cannot be verified: 5.",
            "--repair first sends what waits, then exactly what differs: what the server lacks or has with other values is "
                + "sent, what it alone has is deleted there. Then it verifies again.",
        ],
        options: [
            .value(
                "type", "NAME", "Verify only the samples of this type; may be given several times",
                default: "all that are sent as they are, and all derived records", repeats: true),
            .value("from", "DAY", "Begin with this day, YYYY-MM-DD", default: "the first"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last"),
            .flag("repair", "Send and delete just what differs"),
            .flag("allow-deletions", "Let --repair delete more than a fifth of what the server has"),
            DeliveryDeadline.option,
        ],
        examples: ["verify", "verify --type heartRate --from 2024-01-01 --json", "verify --repair"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try await context.homeSettings()
        let days = try context.parsed.dayRange()
        guard context.parsed.has("repair") else { return try await verify(days, settings, in: context) }
        let deadline = try DeliveryDeadline.seconds(context.parsed)
        let allowsDeletions = context.parsed.has("allow-deletions")
        let isOfAll = isOfAll(days, in: context)
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            let report = try await engine.repair(
                types: try await types(in: context, engine), records: !context.parsed.has("type"), days: days,
                allowDeletions: allowsDeletions, deadlineSeconds: deadline)
            if isOfAll, let report { try await engine.remember(report.left) }
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
        let isOfAll = isOfAll(days, in: context)
        do {
            let report = try await context.withEngine(.reading, settings: settings) { engine in
                try await engine.verify(
                    types: try await types(in: context, engine), records: !context.parsed.has("type"), days: days)
            }
            guard let report else { throw SyncFailure.noServer }
            if isOfAll { await remember(settings, in: context) { try await $0.remember(report) } }
            let view = VerificationView(report: report, clock: settings.clock)
            context.show(text: view.lines, json: view.json)
            return view.status
        } catch let failure as SyncFailure where failure.code == .unverifiable || failure.code == .serverUnavailable {
            if isOfAll { await remember(settings, in: context) { try await $0.remember(failure) } }
            throw failure
        }
    }

    /// Whether nothing is left out, so that the result is one on everything.
    private static func isOfAll(_ days: DayRange?, in context: CommandContext) -> Bool {
        days == nil && !context.parsed.has("type")
    }

    /// Stores the result. It holds as well where another run has the database in hand, or nothing can be written.
    private static func remember(
        _ settings: Settings, in context: CommandContext, _ body: (SyncEngine) async throws -> Void
    ) async {
        do {
            try await context.withEngine(.writing, settings: settings, body)
        } catch {
            context.warn("the result of the verification is not stored for `status`: \(FailureText.of(error))")
        }
    }

    private static func types(
        in context: CommandContext, _ engine: SyncEngine
    ) async throws -> [SampleTypeDefinition] {
        let known = try await engine.ports.pages.knownTypes()
        let raw = Set(engine.settings.rawTypes.map(\.type)).union(try await engine.ports.intervals.layeredTypes().keys)
        let sent = known.map(\.type).filter(raw.contains).map(\.shortName)
        if context.parsed.has("type") { return try StoredTypes.named(context.parsed.texts("type"), among: known) }
        // Where nothing was sent as it is yet, steps would be; without any samples there is nothing to verify.
        let steps = SampleTypeDefinition.stepCount.type
        let hasSteps = known.isEmpty || known.contains { $0.type == steps }
        return try StoredTypes.named(sent.isEmpty && hasSteps ? [steps.shortName] : sent, among: known)
    }
}
