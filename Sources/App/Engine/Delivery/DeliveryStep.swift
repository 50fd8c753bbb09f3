import HealthSyncDomain
import HealthSyncPorts

/// The delivery of a run.
struct DeliveryStep: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Sends the queued items; returns `nil` if no server is configured. No request begins after `deadlineSeconds`.
    /// `resuming` retries a server that was paused until the user acts.
    func run(deadlineSeconds: Int64?, resuming: Bool = false) async throws -> DeliveryReport? {
        guard let server = ports.server else { return nil }
        try await LayeringUpdate(ports: ports, settings: settings).settle()
        try await ports.outbox.expireLeases(destination: server.address, now: ports.time.now())
        let deadline = deadlineSeconds.map { ports.time.now().advanced(bySeconds: $0) }
        return try await OutboxDelivery(ports: ports, options: settings.delivery)?
            .run(until: deadline ?? Instant(milliseconds: .max), resuming: resuming)
    }
}
