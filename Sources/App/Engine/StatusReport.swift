package import HealthSyncDomain
import HealthSyncPorts

/// How things stand at home and on the way to the server.
package struct StatusReport: Sendable, Hashable {
    /// First and last day with records; `nil` while there are none.
    package var recordedDays: DayRange?
    /// The metrics that have records.
    package var metrics: [HealthMetric]
    /// Types of samples kept.
    package var sampleTypes: [SampleType]
    /// The server; `nil` while none is configured and not just one is known.
    package var server: ShownServer?
    /// Whether the user holds deliveries.
    package var isHeld: Bool
    /// Outbox items by state.
    package var outbox: [DeliveryState: Int]
    /// What is remembered of the server.
    package var destinationState: DestinationState?
    /// The last verification of the server; `nil` without a server.
    package var verification: VerificationState?
    /// The days that the next run without bounds derives.
    package var outOfDate: OutOfDateDays
    /// The last runs.
    package var runs: RunHistory
}

extension SyncEngine {
    /// Looks at the database; changes and sends nothing.
    package func status() async throws -> StatusReport {
        let server = try await shownServer()
        let destination = server?.destination
        let state: DestinationState? =
            if let destination { try await ports.outbox.destinationState(destination) } else { nil }
        let verification: VerificationState? =
            if let destination { try await verificationState(of: destination) } else { nil }
        return StatusReport(
            recordedDays: try await ports.repository.recordedDays(),
            metrics: try await ports.repository.recordedMetrics(),
            sampleTypes: try await ports.pages.storedTypes().map(\.type).sorted(),
            server: server, isHeld: ports.hold.isSet(), outbox: try await ports.outbox.counts(destination: destination),
            destinationState: state, verification: verification, outOfDate: try await outOfDateDays(),
            runs: try await runHistory(limit: Self.runsInStatus))
    }

    private static let runsInStatus = 5
}
