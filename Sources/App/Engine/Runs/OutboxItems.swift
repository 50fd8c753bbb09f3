package import HealthSyncDomain
import HealthSyncPorts

/// The items of the outbox.
package struct OutboxItems: OutboxActions {
    let ports: EnginePorts

    /// Returns the oldest items in each of `states`, at most `limit` of each; those of all servers for no `destination`.
    package func list(in states: [DeliveryState], destination: String? = nil, limit: Int) async throws -> [OutboxItem] {
        var items: [OutboxItem] = []
        for state in states { items += try await ports.outbox.items(in: state, destination: destination, limit: limit) }
        return items
    }

    /// Returns the number of items in each state; those of all servers for no `destination`.
    package func counts(destination: String? = nil) async throws -> [DeliveryState: Int] {
        try await ports.outbox.counts(destination: destination)
    }

    /// Returns the address of the configured server, and those of every server that was ever offered any records.
    package func servers() async throws -> (configured: String?, known: [String]) {
        (ports.server?.address, try await ports.outbox.destinations())
    }

    /// Deletes everything about a server; returns how many items had not been delivered to it.
    package func forget(destination: String) async throws -> Int {
        try await ports.outbox.forget(destination: destination)
    }

    /// Returns whether nothing waits to be sent to `destination`.
    package func isEmpty(destination: String) async throws -> Bool {
        let counts = try await ports.outbox.counts(destination: destination)
        return counts[.pending, default: 0] + counts[.leased, default: 0] == 0
    }

    /// Returns an outbox item. An item for samples contains them in their current form if a server is configured.
    package func item(id: Int64) async throws -> OutboxItem? {
        guard let item = try await ports.outbox.item(id: id) else { return nil }
        guard item.content.slice != nil, let encoder = ports.server?.sampleEncoder else { return item }
        let source = try await SliceSource(ports: ports, encoder: encoder, kinds: [item.content.kind])
        return try await source.filled([item]).first
    }

    package func retry(ids: [Int64]?) async throws -> Int { try await ports.outbox.retry(ids: ids) }

    /// Deletes the rejected items with `ids`, or all for `nil`; returns how many.
    package func drop(ids: [Int64]?) async throws -> Int { try await ports.outbox.drop(ids: ids) }
}
