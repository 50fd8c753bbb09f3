package import HealthSyncDomain
import HealthSyncPorts

/// Reads what the rules of this version changed in figures of the past.
package struct HistoryReview: Sendable {
    let ports: EnginePorts

    /// Returns the change; `nil` for nothing, and when it was stated for `HistoryChange.shownDays`.
    package func shown() async throws -> HistoryChange? {
        let now = ports.time.now()
        return try await ports.tracking.historyChange().flatMap { $0.isShown(at: now) ? $0 : nil }
    }
}
