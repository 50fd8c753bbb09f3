/// What is offered to a server that had records before every quantity became a metric (decision 58): up to a day, only the
/// metrics of that time.
package struct FormerDelivery: Sendable, Hashable {
    /// The last day with records before the upgrade.
    package var lastDay: CalendarDay
    /// The metrics whose records are offered on every day.
    package var metrics: Set<HealthMetric>

    package init(lastDay: CalendarDay, metrics: Set<HealthMetric>) {
        self.lastDay = lastDay
        self.metrics = metrics
    }

    /// Returns whether records of `metric` on `day` are offered to the server.
    package func offers(_ metric: HealthMetric, on day: CalendarDay) -> Bool {
        day > lastDay || metrics.contains(metric)
    }
}

/// The stored records that are not offered to a server because of a former delivery.
package struct OmittedRecords: Sendable, Hashable {
    /// The number of daily figures.
    package var count: Int
    /// The number of metrics that they are of.
    package var metrics: Int
    /// The last day for which records are omitted.
    package var lastDay: CalendarDay

    package init(count: Int, metrics: Int, lastDay: CalendarDay) {
        self.count = count
        self.metrics = metrics
        self.lastDay = lastDay
    }

    /// Returns the statement that they are not sent, and the command that sends them. `number` writes a count; `day` is the
    /// last day as displayed.
    package func text(day: String, number: (Int) -> String) -> String {
        let figures = CountText.of(count, "daily figure", number: number)
        let further = CountText.of(metrics, "further metric", number: number)
        return "\(figures) of \(further) up to \(day) \(count == 1 ? "is" : "are") not sent; "
            + "`healthsync push --all` sends \(count == 1 ? "it" : "them")"
    }
}
