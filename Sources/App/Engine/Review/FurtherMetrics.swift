import HealthSyncDomain
import HealthSyncPorts

/// The notice that the metrics of the default have become more since the store was written (decision 58).
package struct FurtherMetrics: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns whether the notice is still to be shown. Never if the user selected the metrics.
    package func hasNotice() async throws -> Bool {
        guard !settings.furtherHandlers.isEmpty else { return false }
        return try await ports.tracking.hasNotice(.furtherMetrics)
    }

    /// Stores that the notice was shown.
    package func removeNotice() async throws { try await ports.tracking.removeNotice(.furtherMetrics) }
}
