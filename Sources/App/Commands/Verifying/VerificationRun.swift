import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// A comparison of the server with the local database. The result of a complete one is stored for `status` and the
/// Sync page.
struct VerificationRun {
    let context: CommandContext
    let settings: Settings
    /// Whether all types and days are compared.
    let isComplete: Bool

    /// Compares the samples of the types that `types` returns, and records if `records`, on `days` or all days. Throws
    /// `.usage` without a server.
    func run(
        records: Bool = true, days: DayRange? = nil, types: (SyncEngine) async throws -> [SampleTypeDefinition]
    ) async throws -> VerificationReport {
        do {
            let report = try await context.withEngine(.reading, settings: settings) { engine in
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
            try await context.withEngine(.writing, settings: settings, body)
        } catch {
            context.warn("could not store the result for `status`: \(FailureText.of(error))")
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
