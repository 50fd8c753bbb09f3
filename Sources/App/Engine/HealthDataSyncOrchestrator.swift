package import HealthSyncDomain
import HealthSyncPorts

/// Runs the handlers side by side, one child task each. A handler that fails or is cancelled does not stop the others;
/// each has its own outcome.
package struct HealthDataSyncOrchestrator: Sendable {
    private let ports: EnginePorts
    private let settings: EngineSettings

    package init(ports: EnginePorts, settings: EngineSettings) {
        self.ports = ports
        self.settings = settings
    }

    /// Brings the days of `request` up to date for every handler, then the activity snapshots of those days.
    ///
    /// What `parts` knows to be complete is not looked at; what the run completes is noted there.
    ///
    /// Throws `SyncFailure` with `.noUserProfileID` when the request names nobody, and `CancellationError` when the
    /// calling task was cancelled; what was committed until then stays.
    package func run(_ request: SyncRequest) async throws -> SyncReport {
        try await run(request, completing: nil)
    }

    func run(_ request: SyncRequest, completing parts: CompleteParts?) async throws -> SyncReport {
        guard request.userProfileID != nil else {
            throw SyncFailure(
                .noUserProfileID, subject: "", reason: "the request names no user profile",
                advice: "set userProfileID; the command line makes one at first use")
        }
        let context = DerivationContext(
            request: request, ports: ports, settings: settings,
            zoneClocks: ZoneClocks(ports.time), skipped: SkippedTally(),
            parts: parts)
        var report = SyncReport()
        ports.progress.report(phase: "deriving", done: 0, total: Int64(settings.handlers.count))
        await withTaskGroup(of: (HealthMetric, SyncOutcome).self) { group in
            for handler in settings.handlers {
                group.addTask { (handler.metric, await Self.outcome(of: handler, in: context)) }
            }
            for await (metric, outcome) in group {
                report.outcomes[metric] = outcome
                ports.progress.report(
                    phase: "deriving", done: Int64(report.outcomes.count), total: Int64(settings.handlers.count))
            }
        }
        report.refused = context.skipped.counts
        try Task.checkCancellation()
        report.snapshots = try await SnapshotUpdate(ports: ports, request: request, parts: parts).run()
        return report
    }

    private static func outcome(
        of handler: any HealthMetricSyncHandler, in context: DerivationContext
    ) async -> SyncOutcome {
        do {
            return switch context.request.scope {
            case .daily: try await handler.syncDaily(in: context)
            case .historical: try await handler.syncHistorical(in: context)
            }
        } catch let failure as SyncFailure {
            return .gaveUp(failure)
        } catch is CancellationError {
            return .gaveUp(
                SyncFailure(
                    .cancelled, subject: handler.metric.rawValue, reason: "cancelled before it was done",
                    advice: "run again to go on"))
        } catch {
            return .gaveUp(
                SyncFailure(
                    .unexpected, subject: handler.metric.rawValue, reason: FailureText.of(error),
                    advice: "report this to the author of the handler"))
        }
    }
}
