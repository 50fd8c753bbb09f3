package import HealthSyncDomain
import HealthSyncPorts

/// Sends the queued items.
package struct Push: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Sends the queued items; returns `nil` if no server is configured. `resuming` retries a server that was paused
    /// until the user acts. With `all`, the stored records and raw samples that were never queued for the server are queued
    /// before, those that its former delivery omits included. The run is recorded with `command`.
    package func run(
        deadlineSeconds: Int64?, resuming: Bool = false, all: Bool = false, as command: RunCommand = .push
    ) async throws -> DeliveryReport? {
        guard let server = ports.server else { return nil }
        return try await RunRecorder(ports: ports).run(command, days: nil) { report in
            if all { try await offerEverything(to: server) }
            report.delivery = try await DeliveryStep(ports: ports, settings: settings).run(
                deadlineSeconds: deadlineSeconds, resuming: resuming)
            if let delivery = report.delivery, delivery.ending == .finished, try await neverOffered(delivery) {
                report.delivery?.ending = .neverOffered
            }
        }.delivery
    }

    private func offerEverything(to server: HealthDestination) async throws {
        try await ports.outbox.endFormerDelivery(of: server.address)
        if let days = try await ports.repository.recordedDays() {
            _ = try await OutboxBackfill(store: ports.outbox, destination: server).run(days: days)
        }
        if let days = try await KnownDays(ports: ports, settings: settings).find() {
            _ = try await LayeringUpdate(ports: ports, settings: settings).run(days, force: false, includesSent: true)
        }
    }

    /// Returns whether nothing was ever offered to the server, because the first run with it is still to come.
    private func neverOffered(_ delivery: DeliveryReport) async throws -> Bool {
        guard try await ports.outbox.counts(destination: delivery.destination).values.allSatisfy({ $0 == 0 }) else {
            return false
        }
        return try await ports.repository.recordedDays() != nil
    }
}

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

    /// Returns the number of items that were not delivered to `destination`.
    package func waiting(destination: String) async throws -> Int {
        try await counts(destination: destination).filter { $0.key != .delivered }.values.reduce(0, +)
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
