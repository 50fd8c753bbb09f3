import HealthSyncDomain
import HealthSyncPorts

/// What was taken in last, how things stand with the server, what waits and what it refused.
struct SyncPage: Page {
    let path = ["view", "sync"]
    let name = "Sync"
    let home: HomeSources

    private static let mostRefused = 100
    private static let mostWaiting = 20

    func content(_ context: PageContext) async throws -> [Markup] {
        let shown = try await home.server()
        let counts = try await home.outbox.counts(destination: shown?.destination)
        let refused = try await home.outbox.items(
            in: .dead, destination: shown?.destination, limit: Self.mostRefused)
        let waiting = try await home.outbox.items(
            in: .pending, destination: shown?.destination, limit: Self.mostWaiting)
        var state: DestinationState?
        if let destination = shown?.destination { state = try await home.outbox.destinationState(destination) }
        let server = ServerSection(
            server: shown, isHeld: home.hold.isSet(), state: state, counts: counts, context: context)
        return [server.markup]
            + RefusedItemsSection(items: refused, count: counts[.dead] ?? 0, context: context).markup
            + WaitingItemsSection(items: waiting, count: counts[.pending] ?? 0, context: context).markup
            + [SourcesSection(sources: try await home.samples.ingestedSources(), context: context).markup]
    }
}
