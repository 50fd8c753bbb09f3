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
    ) async throws -> RunReport? {
        guard let server = ports.server else { return nil }
        return try await RunRecorder(ports: ports).run(command, days: nil) { report in
            if all { try await offerEverything(to: server) }
            report.delivery = try await DeliveryStep(ports: ports, settings: settings).run(
                deadlineSeconds: deadlineSeconds, resuming: resuming)
            if let delivery = report.delivery, delivery.ending == .finished, try await neverOffered(delivery) {
                report.delivery?.ending = .neverOffered
            }
        }
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
