/// What a store has to tell the user once.
package enum Notice: String, Sendable {
    /// The metrics of the default have become more since the store was written.
    case furtherMetrics
}
