/// What the rules of a version of the program changed in the figures that were stored before.
package struct HistoryChange: Hashable, Sendable {
    /// A figure before and after.
    package struct Figure: Hashable, Sendable {
        package var metric: HealthMetric
        package var day: CalendarDay
        package var unit: String
        package var former: Double
        /// `nil` if the day has no such figure any more.
        package var quantity: Double?

        package init(metric: HealthMetric, day: CalendarDay, unit: String, former: Double, quantity: Double?) {
            self.metric = metric
            self.day = day
            self.unit = unit
            self.former = former
            self.quantity = quantity
        }
    }

    /// The version whose rules are new.
    package var version: String
    /// When all days were derived by them.
    package var at: Instant
    /// The number of main sleeps whose time asleep changed.
    package var nights: Int
    /// The number of figures of other metrics and days that changed.
    package var figures: Int
    /// The change of the latest day.
    package var last: Figure

    package init(version: String, at: Instant, nights: Int, figures: Int, last: Figure) {
        self.version = version
        self.at = at
        self.nights = nights
        self.figures = figures
        self.last = last
    }

    /// Minutes asleep that differ by less are the same.
    package static let leastMinutes = 1.0
    /// Other figures whose ratio differs from 1 by less are the same.
    package static let leastShare = 1e-6
    /// For how many days `status` and pages state the change.
    private static let shownDays = 30

    /// Returns whether `status` and pages state the change at `now`.
    package func isShown(at now: Instant) -> Bool {
        now.milliseconds - at.milliseconds < Int64(Self.shownDays) * CalendarDay.millisecondsPerDay
    }

    /// Returns the change in words; `number` writes a count and `quantity` a figure other than sleep, with its unit.
    package func text(
        number: (Int) -> String, quantity: (HealthMetric, Double, String) -> String
    ) -> String {
        var counts: [String] = []
        if nights > 0 { counts.append(CountText.of(nights, "night", number: number)) }
        if figures > 0 { counts.append(CountText.of(figures, "daily figure", number: number)) }
        func write(_ value: Double) -> String {
            last.metric == .sleep
                ? DurationText.minutes(milliseconds: value * 60_000) : quantity(last.metric, value, last.unit)
        }
        let name = last.metric == .sleep ? "sleep" : "\(last.metric)"
        let now = last.quantity.map { "is \(write($0))" } ?? "is no longer a figure of its day"
        return
            "the rules of version \(version) changed \(counts.joined(separator: " and ")) of the past; the last one: "
            + "\(name) of \(last.day) was \(write(last.former)) and \(now)"
    }

    /// Where the reasons are.
    package static let reasons = "docs/numbers.md, \"What changed in the past\", has the reasons"
}

/// A notice that a run shows once after an upgrade.
package enum Notice: String, Sendable {
    /// The default has further metrics.
    case furtherMetrics
}
