package import HealthSyncDomain

/// Something that is complete as long as nothing changes that it follows from, so that a run need not look at it.
package enum CompletePart: Hashable, Sendable {
    /// Every day of a metric was derived from the pages as they are.
    case metric(HealthMetric)
    /// Every stored record was offered to the server of that address.
    case server(String)

    /// The name under which a store remembers it.
    package var name: String {
        switch self {
        case .metric(let metric): "metric/\(metric.rawValue)"
        case .server(let address): "server/\(address)"
        }
    }
}
