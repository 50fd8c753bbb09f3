import HealthSyncDomain

/// Figures of a metric as elements that carry the exact value.
struct MetricFigure {
    let definition: MetricDefinition
    let numbers: NumberForm

    /// Returns a number without its unit.
    func number(_ value: Double) -> String {
        let shown = definition.shownNumber(value)
        return numbers.rounded(shown, places: definition.places(of: shown))
    }

    /// Returns the label of a mark on an axis.
    func mark(_ value: Double) -> String {
        let shown = definition.shownNumber(value)
        return numbers.mark(shown, places: definition.places(of: shown))
    }

    /// Returns a number with its unit.
    func text(_ value: Double) -> String { number(value) + definition.unitSuffix }

    /// Returns a number without its unit, for a table whose caption names the unit; a dash for `nil`.
    func cell(_ value: Double?) -> Markup { value.map { Figure.number($0, number($0)) } ?? "–" }

    /// Returns a number followed by its unit.
    func fact(_ value: Double) -> Markup {
        let suffix = definition.unitSuffix
        guard !suffix.isEmpty else { return Figure.number(value, number(value)) }
        let unit = suffix.hasPrefix("/") ? " " + suffix : suffix
        return Figure.number(value, number(value)) + .tag("small", [.class("quiet")], .text(unit))
    }

    /// Returns `48 to 120 /min`; `nil` without minimum or maximum.
    func range(_ figures: ProgressFigures) -> Markup? {
        guard let minimum = figures.minimum, let maximum = figures.maximum else { return nil }
        return Figure.number(minimum, number(minimum)) + " to " + fact(maximum)
    }

    /// The head of a column of figures: `Steps`, or the unit as it is always written.
    var heading: String {
        let name = definition.figureName
        return name == definition.unit ? name : name.inSentenceCase
    }

    /// Returns the caption of a table or chart: `Active energy by day, in kcal`.
    func caption(_ view: PeriodView) -> String {
        let title = "\(definition.title) \(view.name.lowercased())"
        switch definition.unit {
        case "", "count": return title
        case "count/min": return title + ", per minute"
        default: return title + ", in \(definition.unit)"
        }
    }
}

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

extension HistorySection {
    /// Creates the section of a metric; `nil` without quantities.
    init?(of definition: MetricDefinition, quantities: [DailyQuantity], _ numbers: NumberForm) {
        let largest = quantities.map(\.quantity.magnitude).max() ?? 0
        let resolution = definition.resolution(ofLargest: largest)
        guard let records = MetricRecords(quantities, resolution: resolution) else { return nil }
        let suffix = definition.unitSuffix
        let figure = MetricFigure(definition: definition, numbers: numbers)
        self.init(
            title: definition.title, words: ("Highest day", "Lowest day", definition.kind == .sum ? " a day" : ""),
            hasStreaks: definition.kind == .sum, records: records,
            history: MetricHistory(quantities), resolution: resolution, numbers: numbers, fact: { figure.fact($0) },
            mean: { mean in
                let shown = definition.shownNumber(mean)
                let places = definition.places(of: shown)
                return numbers.rounded(shown, places: definition.kind == .sum ? places : max(1, places))
            },
            suffix: suffix, mark: { figure.mark($0) },
            change: { change in
                let shown = definition.shownNumber(change)
                return numbers.rounded(shown, places: shown < 10 ? 2 : 0) + (suffix.hasPrefix("/") ? " " : "") + suffix
            })
    }
}
