import HealthSyncDomain
import HealthSyncPorts

/// The current run, the state of the server with what can be done, the last runs, rejected and pending items, and the
/// sources.
struct SyncPage: Page {
    static let address = "/view/sync"
    let name = "Sync"
    let home: LocalSources

    private static let mostRejected = 100
    private static let mostWaiting = 20
    private static let mostRuns = 50

    func content(_ context: PageContext) async throws -> [Markup] {
        let shown = try await home.server()
        let counts = try await home.outbox.counts(destination: shown?.destination)
        let rejected = try await home.outbox.items(
            in: .dead, destination: shown?.destination, limit: Self.mostRejected)
        let waiting = try await home.outbox.items(
            in: .pending, destination: shown?.destination, limit: Self.mostWaiting)
        var state: DestinationState?
        var verification: VerificationState?
        var omitted: OmittedRecords?
        if let destination = shown?.destination {
            state = try await home.outbox.destinationState(destination)
            verification = try await home.verification(destination)
            omitted = try await home.outbox.omittedRecords(destination: destination)
        }
        let history = try await home.runs.runHistory(limit: Self.mostRuns)
        let current = CurrentRunSection(history: history, context: context)
        let server = ServerSection(
            server: shown, isRunning: history.current != nil, heldSince: home.hold.since(), state: state,
            trouble: shown.flatMap { history.trouble(with: $0.destination) }, counts: counts,
            syncedIntervals: try await syncedIntervals(at: shown?.destination), verification: verification,
            omitted: omitted, rejection: rejected.first, started: await home.deliveryActions.last(),
            context: context)
        return [
            .tag("p", [.id("run-status"), .init("role", "status"), .init("aria-live", "polite")], current.status),
            Self.live("live-at-work", [current.markup]),
            Self.live("live-server", [server.markup]),
            Self.live(
                "live-refused",
                RejectedItemsSection(items: rejected, count: counts[.dead] ?? 0, context: context).markup),
            Self.live(
                "live-waiting",
                WaitingItemsSection(items: waiting, count: counts[.pending] ?? 0, context: context).markup),
            Self.live("live-runs", [LastRunsSection(runs: history.over, context: context).markup]),
            Self.live(
                "live-sources",
                [
                    SourcesSection(
                        sources: try await home.samples.ingestedSources(),
                        unsent: try await home.samples.unsentSamples(), hasImport: home.imports != nil, context: context
                    ).markup
                ]),
        ]
    }

    private func syncedIntervals(at destination: String?) async throws -> Int? {
        let types = try await home.intervals.layeredTypes().keys
        var count = types.isEmpty ? nil : 0
        for type in types {
            let statuses = try await home.intervals.statuses(of: type, destination: destination)
            count? += statuses.count { $0.state == .synced && !$0.isSyncedWithoutSamples }
        }
        return count
    }

    /// Returns a part of the page that a script updates.
    private static func live(_ id: String, _ content: [Markup]) -> Markup {
        .tag("div", [.id(id), .init("data-live")], content)
    }
}
