import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync verify`
enum VerifyCommand: Command {
    static let declaration = CommandDeclaration(
        "verify", "Prove that the server holds just the samples kept at home",
        discussion: [
            "Asks the server for digests of ever smaller intervals, only where they differ from those of the samples at "
                + "home, and names the samples that differ. Nothing is changed, at home or there.",
            "Exits 0 only when both sides are equal, and 4 when they are not. A server that answers no digests cannot be "
                + "verified: 5.",
        ],
        options: [
            .value(
                "type", "NAME", "Verify the samples of this type; may be given several times", default: "stepCount",
                repeats: true),
            .value("from", "DAY", "Begin with this day, YYYY-MM-DD", default: "the first"),
            .value("to", "DAY", "End with this day, YYYY-MM-DD", default: "the last"),
        ], examples: ["verify", "verify --type heartRate --from 2024-01-01 --json"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let days = try context.parsed.dayRange()
        let names = context.parsed.has("type") ? context.parsed.texts("type") : [defaultType.shortName]
        let report = try await context.withEngine(.reading, settings: settings) { engine in
            let types = try StoredTypes.named(names, among: try await engine.ports.pages.storedTypes())
            return try await engine.verify(types: types, days: days)
        }
        guard let report else { throw SyncFailure.noServer }
        let view = VerificationView(report: report, clock: settings.clock)
        context.show(text: view.lines, json: view.json)
        return view.status
    }

    private static let defaultType = SampleTypeDefinition.stepCount.type
}
