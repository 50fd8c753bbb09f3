package import HealthSyncDomain

/// A part of the store that stays complete until its inputs change, so that a run can skip it.
package enum CompletePart: Hashable, Sendable {
    /// Every day of a metric was derived from the current pages.
    case metric(HealthMetric)
    /// Every stored record was offered to the server with that address.
    case server(String)

    /// The name under which a store keeps the part.
    package var name: String {
        switch self {
        case .metric(let metric): "metric/\(metric.rawValue)"
        case .server(let address): "server/\(address)"
        }
    }
}
