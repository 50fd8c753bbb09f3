import HealthSyncDomain

/// The sections of one year.
struct YearSections {
    /// The days of the calendar year.
    let days: DayRange
    let steps: MetricYear
    let kilometres: MetricYear
    /// Minutes asleep.
    let sleep: MetricYear
    let resting: MetricYear
    /// Ascending by day.
    let nights: [NightHours]
    /// The shoes worn, with their figures.
    let worn: [(shoe: Shoe, figures: WalkFigures)]
    /// The days with complete steps.
    let completeSteps: DayRange?
    let context: PageContext

    private typealias Fact = (name: String, value: Markup)

    private var numbers: NumberForm { context.numbers }

    var markup: [Markup] {
        let sections = [stepsSection, sleepSection, restingSection, shoesSection].compactMap(\.self)
        guard !sections.isEmpty else {
            return [
                .tag(
                    "section", [.class("card")],
                    .tag("p", [], "No steps, sleep or resting heart rate were recorded in this year."))
            ]
        }
        return [.tag("div", [.class("two")], sections)]
    }

    private var stepsSection: Markup? {
        guard let average = steps.average, let records = steps.records else { return nil }
        let count: (Double) -> Markup = { Figure.number($0, numbers.whole($0)) }
        var facts: [Fact] = [
            ("Average a day", count(average) + before(steps.averageBefore.map(count))), ("Total", count(steps.total)),
        ]
        if !kilometres.quantities.isEmpty {
            facts.append(
                ("Walked", Figure.number(kilometres.total, numbers.rounded(kilometres.total, places: 2) + " km")))
        }
        facts.append(("Best day", RecordText.day(records.highest, count)))
        facts.append(("Longest streak", streak(records, count)))
        if let month = steps.history.steadiest {
            let spread = Markup.tag(
                "span", [.class("below")], count(month.average) + " a day, ± " + count(month.spread))
            facts.append(("Steadiest month", Self.name(of: month.period) + spread))
        }
        return section("steps", "Steps", facts, bars)
    }

    /// The average day of each month; nothing if all have too few days.
    private var bars: Markup {
        guard !steps.history.months.isEmpty else { return .nothing }
        let months = Dictionary(steps.history.months.map { ($0.period, $0) }) { first, _ in first }
        let columns = CalendarPeriod.periods(.month, of: days).map { period in
            let name = CalendarDay.monthName(period.days.first.components.month)
            guard let month = months[period] else {
                return ChartColumn("\(ColumnLabels.fullName(period)): too few days", label: name)
            }
            var column = ChartColumn(
                "\(ColumnLabels.fullName(period)): \(numbers.whole(month.average)) a day", label: name)
            column.parts = [(month.average, "bar")]
            column.isPartial = period.isPartial(within: completeSteps)
            return column
        }
        return ColumnChart(
            description: "Steps by month, average a day", columns: columns, unit: 1, mark: { numbers.mark($0) }
        ).markup + HistorySection.note(shortMonths: steps.history.shortMonths)
    }

    private var sleepSection: Markup? {
        guard let average = sleep.average, let records = sleep.records else {
            return nights.isEmpty
                ? nil
                : .tag(
                    "section", [.class("card"), .id("sleep")], .tag("h2", [], "Sleep"),
                    .tag("p", [], SleepFigure.onlyInBed))
        }
        let length: (Double) -> Markup = { Figure.number($0, DurationText.minutes($0)) }
        var facts: [Fact] = [
            ("Average a night", length(average) + before(sleep.averageBefore.map(length))),
            ("Longest night", RecordText.day(records.highest, length)),
            ("Longest streak", streak(records, length)),
        ]
        if let spread = SleepRegularity(nights).spread { facts.append(("Spread of the middle", length(spread))) }
        if let month = steadiestNights, let spread = month.regularity.spread {
            facts.append(
                (
                    "Steadiest month",
                    Self.name(of: month.period)
                        + .tag("span", [.class("below")], "spread of the middle " + length(spread))
                ))
        }
        return section("sleep", "Sleep", facts, nightsChart)
    }

    /// The month with the least spread of the middle of sleep, of those with at least 20 nights.
    private var steadiestNights: SleepPeriod? {
        SleepPeriod.periods(.month, of: days, nights: nights).filter { $0.sleptNights >= 20 }
            .min { ($0.regularity.spread ?? .infinity) < ($1.regularity.spread ?? .infinity) }
    }

    private var nightsChart: Markup {
        let minutes = NightsChart.range(of: nights)
        let chart = NightsChart(
            nights: nights, year: days.first.components.year, minutes: minutes,
            description: "\(nights.count) nights, from falling asleep to waking")
        return chart.markup
            + .tag(
                "p", [.class("quiet")],
                "Every night, January to December, from the top " + RegularitySection.hours(minutes, context.clockForm)
                    + ".")
    }

    private var restingSection: Markup? {
        guard let average = resting.average, let records = resting.records else { return nil }
        let rate: (Double) -> Markup = { Figure.number($0, numbers.rounded($0) + " /min") }
        let facts: [Fact] = [
            ("Average", rate(average) + before(resting.averageBefore.map(rate))),
            ("Lowest day", RecordText.day(records.lowest, rate)),
            ("Highest day", RecordText.day(records.highest, rate)),
        ]
        let months = resting.history.months
        let chart =
            months.count < 2
            ? Markup.nothing
            : MonthsChart(
                description: "Resting heart rate by month, per minute", months: months, unit: 1,
                mark: { numbers.mark($0) }, text: { numbers.rounded($0) + " /min" }
            ).markup + HistorySection.note(shortMonths: resting.history.shortMonths)
        return section("resting", "Resting heart rate", facts, chart)
    }

    private var shoesSection: Markup? {
        guard !worn.isEmpty else { return nil }
        var table = DataTable("Distance and steps by shoe", [.text("Shoes"), .number("Distance"), .number("Steps")])
        for (shoe, figures) in worn.sorted(by: { ($0.figures.kilometres ?? 0) > ($1.figures.kilometres ?? 0) }) {
            table.add([
                .tag("bdi", [.class("name")], .text(ShoeLabels.label(shoe))),
                WalkCells.distance(figures, numbers) ?? "–", WalkCells.steps(figures, numbers) ?? "–",
            ])
        }
        return .tag("section", [.class("card"), .id("shoes")], .tag("h2", [], "Shoes"), table.markup)
    }

    private func section(_ id: String, _ title: String, _ facts: [Fact], _ chart: Markup) -> Markup {
        .tag("section", [.class("card"), .id(id)], .tag("h2", [], .text(title)), FactList.markup(facts), chart)
    }

    private func before(_ figure: Markup?) -> Markup {
        guard let figure else { return .nothing }
        return .tag("span", [.class("below")], "\(days.first.components.year - 1): " + figure)
    }

    private func streak(_ records: MetricRecords, _ figure: (Double) -> Markup) -> Markup {
        RecordText.streak(records.streak, numbers)
            + .tag("span", [.class("below")], "each at least " + figure(records.median) + ", the median")
    }

    private static func name(of month: CalendarPeriod) -> Markup {
        .text(CalendarDay.monthName(month.days.first.components.month))
    }
}
