/// Steps over a stretch of days, merged over the devices that counted them.
package struct StepsOverview: Hashable, Sendable {
    /// The days asked for.
    package let days: DayRange
    /// The days on which steps were counted, ascending.
    package let recorded: [DailyProgress]

    /// An overview of `days` from `progress`, of which other metrics and days are left out. Hours may be absent.
    package init(days: DayRange, progress: [DailyProgress]) {
        self.days = days
        recorded = progress.filter { $0.metric == .steps && days.contains($0.day) }.sorted { $0.day < $1.day }
    }

    /// Sum over the days; 0 without any.
    package var total: Double { recorded.reduce(0) { $0 + $1.figures.quantity } }

    /// Mean over the days on which steps were counted; `nil` without any.
    package var averagePerDay: Double? { recorded.isEmpty ? nil : (total / Double(recorded.count)).asFigure }

    /// The day with most steps; of equal ones the earlier.
    package var best: DailyProgress? {
        recorded.reduce(nil) { best, day in
            guard let best, best.figures.quantity >= day.figures.quantity else { return day }
            return best
        }
    }

    /// The days, weeks, months or years of the stretch, ascending, those without steps too. Of a period that reaches
    /// beyond the stretch only the days within count.
    package func periods(_ unit: CalendarPeriod.Unit) -> [StepsPeriod] {
        CalendarPeriod.periods(unit, of: days, dividing: recorded, by: \.day).map { period, own in
            StepsPeriod(period: period, within: days, recorded: own)
        }
    }

    /// The sources that counted, by name.
    package var sourceNames: [String] { Set(recorded.flatMap { $0.origins.map(\.sourceName) }).sorted() }
}
