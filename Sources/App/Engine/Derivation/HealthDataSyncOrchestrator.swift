package import HealthSyncDomain
import HealthSyncPorts

/// Runs the handlers concurrently, one child task each. A handler that fails or is cancelled does not stop the
/// others; each has its own outcome.
package struct HealthDataSyncOrchestrator: Sendable {
    private let ports: EnginePorts
    private let settings: EngineSettings

    package init(ports: EnginePorts, settings: EngineSettings) {
        self.ports = ports
        self.settings = settings
    }

    /// Derives the days of `request` with every handler, then the activity snapshots of those days.
    ///
    /// Parts that `parts` lists as complete are skipped. Parts that this run completes are added to it.
    ///
    /// - Throws: `SyncFailure` with `.noUserProfileID` if the request has no user profile id, and `CancellationError`
    ///   if the calling task was cancelled. Everything committed until then is kept.
    package func run(_ request: SyncRequest) async throws -> SyncReport {
        try await run(request, completing: nil)
    }

    func run(_ request: SyncRequest, completing parts: CompleteParts?) async throws -> SyncReport {
        guard request.userProfileID != nil else {
            throw SyncFailure(
                .noUserProfileID, subject: "", reason: "the request has no user profile id",
                advice: "set userProfileID; the command line creates one at the first run")
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
        report.skipped = context.skipped.counts
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
            return .failed(failure)
        } catch is CancellationError {
            return .failed(
                SyncFailure(
                    .cancelled, subject: handler.metric.rawValue, reason: "cancelled before it was complete",
                    advice: "run the command again to continue"))
        } catch {
            return .failed(
                SyncFailure(
                    .unexpected, subject: handler.metric.rawValue, reason: FailureText.of(error),
                    advice: "report this to the author of the handler"))
        }
    }
}
