/// The figures of one metric over a range of days.
package struct MetricSeries: Hashable, Sendable {
    /// The metric, its unit and how its figures combine.
    package let definition: MetricDefinition
    /// The selected days.
    package let days: DayRange
    /// The days with figures, ascending.
    package let recorded: [DailyProgress]
    /// The current day, whose sums are incomplete.
    package let today: CalendarDay

    /// Creates the series of `definition` on `days`; `progress` may contain other metrics and days, and may lack hours.
    package init(of definition: MetricDefinition, days: DayRange, progress: [DailyProgress], today: CalendarDay) {
        self.definition = definition
        self.days = days
        self.today = today
        recorded = progress.filter { $0.metric == definition.metric && days.contains($0.day) }
            .sorted { $0.day < $1.day }
    }

    /// The figures of all days together; `nil` without any.
    package var figures: ProgressFigures? { definition.kind.combined(recorded.map(\.figures)) }

    /// The mean per day, over the days with figures, without today if there are others; `nil` without any, and for
    /// metrics that do not add up.
    package var averagePerDay: Double? { definition.kind.average(of: averaged) }

    /// The days of averages: without today if there are others.
    package var averaged: [DailyProgress] {
        definition.kind == .sum ? recorded.leavingOut(today, by: \.day) : recorded
    }

    /// Whether `averagePerDay` leaves out today.
    package var averagesLackToday: Bool { averaged.count < recorded.count }

    /// The day with the largest figure; of equal ones the earliest.
    package var highest: DailyProgress? {
        recorded.reduce(nil) { highest, day in
            guard let highest, highest.figures.quantity >= day.figures.quantity else { return day }
            return highest
        }
    }

    /// Returns the days, weeks, months or years of the range, ascending, including those without figures. A period that
    /// extends beyond the range contains only its selected days.
    package func periods(_ unit: CalendarPeriod.Unit) -> [MetricPeriod] {
        CalendarPeriod.periods(unit, of: days, dividing: recorded, by: \.day).map { period, recorded in
            MetricPeriod(
                period: period, within: days, recorded: recorded, kind: definition.kind,
                incomplete: averagesLackToday ? today : nil)
        }
    }

    /// The names of the sources of all days, sorted.
    package var sourceNames: [String] {
        Set(recorded.flatMap(\.origins).map { ExactText($0.sourceName) }).sorted().map(\.text)
    }
}
