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

extension MetricDefinition.Kind {
    /// Returns the combined figures of several periods in ascending order: the sum, or the mean or the last value with
    /// minimum and maximum; `nil` without any, and for sessions.
    package func combined(_ figures: [ProgressFigures]) -> ProgressFigures? {
        guard let last = figures.last else { return nil }
        switch self {
        case .sum:
            let largest = Double.greatestFiniteMagnitude
            let sum = figures.reduce(0) { min(largest, max(-largest, $0 + $1.quantity)) }
            return ProgressFigures(quantity: sum.asFigure)
        case .mean:
            return .merged(figures.map(\.asMean))
        case .last:
            var merged = ProgressFigures.merged(figures.map(\.asMean))
            merged?.quantity = last.quantity
            merged?.heldMilliseconds = nil
            return merged
        case .sessions:
            return nil
        }
    }

    /// Returns the mean per day of `days`; `nil` without any, and for metrics that do not add up.
    func average(of days: [DailyProgress]) -> Double? {
        guard self == .sum, let figures = combined(days.map(\.figures)) else { return nil }
        return (figures.quantity / Double(days.count)).asFigure
    }
}

extension ProgressFigures {
    /// The figures as those of a mean: without minimum, maximum and count they represent one measurement.
    fileprivate var asMean: ProgressFigures {
        var figures = self
        if minimum == nil, maximum == nil, count == nil { figures.count = 1 }
        return figures
    }
}

extension Array {
    /// Returns the elements of other days than `incomplete`, whose sums are incomplete; all if there are no others.
    package func leavingOut(_ incomplete: CalendarDay?, by day: (Element) -> CalendarDay) -> [Element] {
        let others = filter { day($0) != incomplete }
        return others.isEmpty ? self : others
    }
}

/// The figures of one metric in one day, week, month or year.
package struct MetricPeriod: Hashable, Sendable {
    package let period: CalendarPeriod
    /// The selected days of the period.
    package let days: DayRange
    /// The number of days with figures.
    package let recordedDays: Int
    /// The figures of these days together; `nil` without any.
    package let figures: ProgressFigures?
    /// The smallest and largest quantity of a day; `nil` without any.
    package let dailyQuantities: ClosedRange<Double>?
    /// The mean per day, over the days with figures, without an incomplete day unless the period is a day; `nil` without
    /// any, and for metrics that do not add up.
    package let averagePerDay: Double?
    /// The number of days of `averagePerDay`.
    package let averagedDays: Int
    /// The figure of each source alone, by name. Only sums combine over several days: other metrics have origins only if
    /// the period has one day with figures.
    package let origins: [OriginProgress]

    init(
        period: CalendarPeriod, within days: DayRange, recorded: [DailyProgress], kind: MetricDefinition.Kind,
        incomplete: CalendarDay?
    ) {
        self.period = period
        self.days = period.days.intersection(days) ?? period.days
        recordedDays = recorded.count
        figures = kind.combined(recorded.map(\.figures))
        dailyQuantities = recorded.map(\.figures.quantity).bounds
        let averaged = period.unit == .day ? recorded : recorded.filter { $0.day != incomplete }
        averagePerDay = kind.average(of: averaged)
        averagedDays = averaged.count
        guard kind == .sum || recorded.count == 1 else {
            origins = []
            return
        }
        var quantities: [ExactText: Double] = [:]
        for origin in recorded.flatMap(\.origins) {
            quantities[ExactText(origin.sourceName), default: 0] += origin.quantity
        }
        origins = quantities.sorted { $0.key < $1.key }.map {
            OriginProgress(sourceName: $0.key.text, quantity: $0.value)
        }
    }
}

extension [Double] {
    /// The range from the smallest to the largest number; `nil` without any.
    var bounds: ClosedRange<Double>? {
        guard let low = self.min(), let high = self.max() else { return nil }
        return low...high
    }
}
