import HealthSyncDomain

/// The figures of one hour or period.
struct MetricRow {
    /// The hour or period in full.
    let name: String
    /// A short name below the column of a chart.
    let label: String
    let figures: ProgressFigures?
    /// The smallest and largest figure of a day of a longer period; `nil` for hours, days and without figures.
    var dailyFigures: ClosedRange<Double>?
    /// The value of the column before the minimum, if the table has one.
    var first: Double?
    /// The page of the period by shorter periods.
    var address: String?
    /// Whether the period is incomplete.
    var isPartial = false

    /// Returns the hours of `day` with the figures of `measured`.
    static func hours(
        of day: CalendarDay, measured: [HourProgress], kind: MetricDefinition.Kind, _ context: PageContext
    ) -> [MetricRow] {
        let slots = HourSlot.slots(of: day, measured: measured, clock: context.clock, kind: kind)
        return zip(slots, context.wallClock.hours(slots.map(\.interval.start))).map { slot, time in
            MetricRow(name: time, label: context.wallClock.hour(slot.interval.start), figures: slot.figures)
        }
    }

    /// Creates a period, with a link to its days, months or hours.
    init(
        _ period: CalendarPeriod, figures: ProgressFigures?, dailyFigures: ClosedRange<Double>? = nil,
        first: Double? = nil, _ navigation: PeriodNavigation
    ) {
        name = ColumnLabels.fullName(period)
        label = ColumnLabels.period(period)
        self.figures = figures
        self.dailyFigures = period.unit == .day ? nil : dailyFigures
        self.first = first
        address = navigation.closer(period)
        isPartial = period.isPartial(within: navigation.complete)
    }

    private init(name: String, label: String, figures: ProgressFigures?) {
        (self.name, self.label, self.figures) = (name, label, figures)
    }
}
