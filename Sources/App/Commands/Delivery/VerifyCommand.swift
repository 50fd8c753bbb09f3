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
        let run = VerificationRun(context, settings, isComplete: isComplete(days, in: context))
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

/// The result of a repair: the differences, the changes, and the verification afterwards.
private struct RepairView: JSONEncodable {
    let report: RepairReport
    let clock: DayClock

    var lines: [String] {
        guard !report.found.isEqual else { return left.lines }
        var lines = VerificationView(report: report.found, clock: clock).lines
        let counts = report.counts
        lines.append(
            counts == RepairCounts()
                ? "not repaired"
                : "repaired: \(Figures.count(counts.sent, "sample")) sent, \(Figures.grouped(counts.deleted)) deleted"
                    + records)
        if let failure = report.delivery.failure { lines.append("  \(failure.reason); \(failure.advice)") }
        return counts == RepairCounts() ? lines : lines + left.lines
    }

    private var records: String {
        guard report.found.records != nil else { return "" }
        return "; \(Figures.count(report.counts.recordsSent, "record")) sent,"
            + " \(Figures.grouped(report.counts.recordsDeleted)) deleted"
    }

    /// The verification after the repair, with the member `repair`.
    var json: JSONValue {
        let found = VerificationView(report: report.found, clock: clock)
        let repair: JSONValue = [
            "found": found.types, "foundRecords": found.records, "sent": report.counts.sent,
            "deleted": report.counts.deleted, "recordsSent": report.counts.recordsSent,
            "recordsDeleted": report.counts.recordsDeleted, "delivery": DeliveryView(report: report.delivery),
        ]
        return .joined(left.document(status), ["repair": repair])
    }

    var status: ExitStatus {
        if report.left.isEqual { return left.status }
        let delivery = DeliveryView(report: report.delivery).status
        return delivery == .done ? .different : delivery
    }

    private var left: VerificationView { VerificationView(report: report.left, clock: clock) }
}

/// A comparison of the server with the local database. The result of a complete one is stored for `status` and the
/// Sync page.
struct VerificationRun {
    /// Whether all types and days are compared.
    let isComplete: Bool
    /// Runs a body with an engine that reads the database.
    let read: (_ body: (SyncEngine) async throws -> VerificationReport?) async throws -> VerificationReport?
    /// Runs a body with an engine that changes the database.
    let change: (_ body: (SyncEngine) async throws -> Void) async throws -> Void
    /// Receives a problem that does not end the comparison.
    let warn: (String) -> Void

    /// Compares the samples of the types that `types` returns, and records if `records`, on `days` or all days. Throws
    /// `.usage` without a server.
    func run(
        records: Bool = true, days: DayRange? = nil, types: (SyncEngine) async throws -> [SampleTypeDefinition]
    ) async throws -> VerificationReport {
        do {
            let report = try await read { engine in
                try await engine.verify.run(types: try await types(engine), records: records, days: days)
            }
            guard let report else { throw SyncFailure.noServer }
            await store { try await $0.verdict.remember(report) }
            return report
        } catch let failure as SyncFailure where failure.code == .unverifiable || failure.code == .serverUnavailable {
            await store { try await $0.verdict.remember(failure) }
            throw failure
        }
    }

    /// Stores the result. It stays valid if that fails, for example during another run.
    private func store(_ body: (SyncEngine) async throws -> Void) async {
        guard isComplete else { return }
        do {
            try await change(body)
        } catch {
            warn("could not store the result for `status`: \(FailureText.of(error))")
        }
    }

    /// Returns the types that are sent raw.
    static func sentTypes(_ engine: SyncEngine) async throws -> [SampleTypeDefinition] {
        let (known, raw) = try await engine.types.known()
        // If no raw samples were sent yet, verify steps, which are sent by default. Without samples verify no type.
        let steps = SampleTypeDefinition.stepCount.type
        let hasSteps = known.isEmpty || known.contains { $0.type == steps }
        return raw.isEmpty && hasSteps ? try StoredTypes.named([steps.shortName], among: known) : raw
    }
}

extension VerificationRun {
    /// Creates a comparison on the command line.
    init(_ context: CommandContext, _ settings: Settings, isComplete: Bool) {
        self.init(
            isComplete: isComplete, read: { try await context.withEngine(.reading, settings: settings, $0) },
            change: { try await context.withEngine(.writing, settings: settings, $0) }, warn: { context.warn($0) })
    }
}
