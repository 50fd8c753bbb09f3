import HealthSyncDomain
import HealthSyncPorts

/// The notice that the metrics of the default have become more since the store was written (decision 58).
package struct FurtherMetrics: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns whether the user was not yet told. Never if the user selected the metrics.
    package func isUntold() async throws -> Bool {
        guard !settings.furtherHandlers.isEmpty else { return false }
        return try await ports.tracking.hasNotice(.furtherMetrics)
    }

    /// Stores that the user was told.
    package func tell() async throws { try await ports.tracking.removeNotice(.furtherMetrics) }
}
