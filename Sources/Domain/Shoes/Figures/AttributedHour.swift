/// An hour's figure of one metric, divided among sessions.
package struct AttributedHour: Sendable, Hashable {
    package let metric: HealthMetric
    /// First instant of the hour.
    package let start: Instant
    /// What was measured in the hour.
    package let quantity: Double
    /// Sum to the quantity.
    package let shares: [HourShares.Share]

    package init(metric: HealthMetric, start: Instant, quantity: Double, shares: [HourShares.Share]) {
        self.metric = metric
        self.start = start
        self.quantity = quantity
        self.shares = shares
    }
}
