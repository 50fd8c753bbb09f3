/// A notice that a run shows once after an upgrade.
package enum Notice: String, Sendable {
    /// The default has further metrics.
    case furtherMetrics
}
