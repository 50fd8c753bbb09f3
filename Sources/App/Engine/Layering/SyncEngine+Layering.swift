package import HealthSyncDomain
import HealthSyncPorts

/// What the layering of one type came to.
package struct LayeringOutcome: Sendable, Hashable {
    package var type: SampleType
    /// Intervals that there are.
    package var intervals: Int
    /// Intervals that were put into the outbox for a server that was never offered them.
    package var offered: Int
}

extension SyncEngine {
    /// The intervals and what keeps them in step.
    package var layering: LayeringService {
        LayeringService(
            pages: ports.pages, intervals: ports.intervals, hasher: ports.hasher, limits: settings.layering)
    }

    /// Brings the intervals of the raw types up to date and enqueues, for the server, those that meet `days`, with
    /// `force` also such as it has.
    func layer(_ days: DayRange, force: Bool) async throws -> [LayeringOutcome] {
        guard let server = ports.server else { return [] }
        let destination = server.encoder.destination
        let range = settings.clock.interval(of: days)
        let wanted = Set(settings.rawTypes.map(\.type))
        var outcomes: [LayeringOutcome] = []
        // Also a type whose last sample is gone: that is how servers learn of it.
        for definition in try await ports.pages.knownTypes() where wanted.contains(definition.type) {
            try Task.checkCancellation()
            let type = definition.type
            ports.progress.report(phase: "layering \(type.shortName)", done: 0, total: 1)
            let count = try await layering.performLayering(of: definition)
            if force {
                try await ports.intervals.forgetDelivered(of: type, destination: destination, in: range)
            }
            let offered = try await layering.offer(type, to: destination, in: range)
            ports.progress.report(phase: "layering \(type.shortName)", done: 1, total: 1)
            outcomes.append(LayeringOutcome(type: type, intervals: count, offered: offered))
        }
        return outcomes
    }

    /// An item of the outbox; one that stands for samples with what is sent of them as things are now, where a server
    /// says in which form.
    package func outboxItem(id: Int64) async throws -> OutboxItem? {
        guard let item = try await ports.outbox.item(id: id) else { return nil }
        guard item.content.slice != nil, let encoder = ports.server?.encoder else { return item }
        let source = try await SliceSource(ports: ports, encoder: encoder, kinds: [item.content.kind])
        return try await source.filled([item]).first
    }
}
