package import HealthSyncDomain
package import HealthSyncPorts

/// A handler that derives days in one way, whether they are today's or long past.
package protocol DerivingHandler: HealthMetricSyncHandler {
    /// Brings the days of `context` up to date.
    func sync(in context: any MetricSyncContext) async throws -> SyncOutcome
}

extension DerivingHandler {
    /// Brings today and the days that may still change up to date.
    package func syncDaily(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await sync(in: context)
    }

    /// Brings any stretch of the past up to date.
    package func syncHistorical(in context: any MetricSyncContext) async throws -> SyncOutcome {
        try await sync(in: context)
    }
}
