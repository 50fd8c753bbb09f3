/// The value of one metric in an hour, divided among sessions.
package struct AttributedHour: Sendable, Hashable {
    package let metric: HealthMetric
    /// The first instant of the hour.
    package let start: Instant
    /// The total of the hour.
    package let quantity: Double
    /// The shares, which add up to the quantity.
    package let shares: [HourShares.Share]

    package init(metric: HealthMetric, start: Instant, quantity: Double, shares: [HourShares.Share]) {
        self.metric = metric
        self.start = start
        self.quantity = quantity
        self.shares = shares
    }
}
