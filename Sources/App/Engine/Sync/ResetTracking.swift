package import HealthSyncDomain
import HealthSyncPorts

/// Makes the next run derive days again.
package struct ResetTracking: Sendable {
    let ports: EnginePorts

    /// Deletes the input digests of `days` (all for `nil`) of `metric` (all for `nil`), so that the next run that
    /// covers them derives them again. Returns how many were deleted.
    package func run(of metric: HealthMetric?, days: DayRange?) async throws -> Int {
        try await ports.tracking.resetTracking(of: metric, days: days)
    }
}
