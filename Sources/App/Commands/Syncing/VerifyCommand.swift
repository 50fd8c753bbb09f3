import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync verify`
enum VerifyCommand: Command {
    static let declaration = CommandDeclaration(
        "verify", "Prove that the server holds just the samples kept at home",
        discussion: [
            "Asks the server for digests of ever smaller intervals, only where they differ from those of the samples at "
                + "home, and names the samples that differ. Nothing is changed, at home or there, without --repair.",
            "Exits 0 only when both sides are equal, and 4 when they are not. A server that answers no digests cannot be "
                + "verified: 5.",
            "--repair first sends what waits, then just what differs: samples that the server lacks or has otherwise are "
                + "sent, those that it alone has are deleted there. Then it verifies again.",
        ],
        options: [
            .value(
                "type", "NAME", "Verify the samples of this type; may be given several times",
                default: "all that are sent as they are", repeats: true),
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
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.repair(
                types: try await types(in: context, engine), days: days, allowDeletions: allowsDeletions,
                deadlineSeconds: deadline)
        }
        guard let report else { throw SyncFailure.noServer }
        let view = RepairView(report: report, clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return view.status
    }

    private static func verify(
        _ days: DayRange?, _ settings: Settings, in context: CommandContext
    ) async throws -> ExitStatus {
        let report = try await context.withEngine(.reading, settings: settings) { engine in
            try await engine.verify(types: try await types(in: context, engine), days: days)
        }
        guard let report else { throw SyncFailure.noServer }
        let view = VerificationView(report: report, clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return view.status
    }

    private static func types(
        in context: CommandContext, _ engine: SyncEngine
    ) async throws -> [SampleTypeDefinition] {
        let known = try await engine.ports.pages.knownTypes()
        let raw = Set(engine.settings.rawTypes.map(\.type)).union(try await engine.ports.intervals.layeredTypes().keys)
        let sent = known.map(\.type).filter(raw.contains).map(\.shortName)
        let steps = SampleTypeDefinition.stepCount.type.shortName
        return try StoredTypes.named(
            context.parsed.has("type") ? context.parsed.texts("type") : sent.isEmpty ? [steps] : sent, among: known)
    }
}
