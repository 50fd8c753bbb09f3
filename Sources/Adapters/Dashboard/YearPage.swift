import HealthSyncDomain
import HealthSyncPorts

/// One year on one page, also to print: steps, sleep, resting heart rate, and the distance in each pair of shoes.
struct YearPage: Page {
    static let address = "/view/year"
    let name = "Your year"
    let entry = "Years"
    /// `nil` if the pages show no shoes.
    let shoes: (any ShoeReader)?
    var receivedSteps: ReceivedStepsNote? = nil

    /// Returns the address of the page of a year.
    static func address(of year: Int) -> String {
        Choice.address(address, [("year", CalendarDay.padded(year, 4))])
    }

    func title(_ context: PageContext) async throws -> String {
        try shownYear(context).map { "\(name) \($0)" } ?? name
    }

    func content(_ context: PageContext) async throws -> [Markup] {
        guard let year = try shownYear(context), let recorded = context.recorded,
            let days = CalendarDay(year: year, month: 1, day: 1).map({ CalendarPeriod(.year, holding: $0).days })
        else {
            let note = try await receivedSteps?.markup(of: nil, context) ?? []
            guard note.isEmpty else { return note }
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet."))]
        }
        let choices = Choice.of(
            "Year", Self.years(context).reversed().map { ("\($0)", Self.address(of: $0), $0 == year) })
        let repository = context.repository
        let walked = try await figures(of: .walkingDistance, isSum: true, resolution: 0.01, year, days, context)
        let nights = try await repository.nights(days: days).filter { $0.day <= context.today }
            .map { NightHours($0, clock: context.clock) }
        let sections = YearSections(
            days: days, steps: try await figures(of: .steps, isSum: true, year, days, context), kilometres: walked,
            sleep: try await figures(of: .sleep, year, days, context),
            resting: try await figures(of: .restingHeartRate, year, days, context), nights: nights,
            worn: try await shoes?.worn(on: days) ?? [],
            completeSteps: context.completeDays(
                latest: try await repository.latestDay(of: .steps, through: context.today)), context: context)
        let complete = context.completeDays(latest: recorded.last, ofNights: true)
        let isPartial = CalendarPeriod(.year, holding: days.first).isPartial(within: complete)
        let shown = complete?.intersection(days)
        var note = Markup.nothing
        if isPartial, let shown {
            let through: Markup = shown.count == 1 ? .nothing : " to " + Figure.day(shown.last)
            note = .tag("p", [.class("quiet")], "Recorded " + Figure.day(shown.first) + through + ".")
        }
        return [choices, note] + sections.markup
    }

    /// Returns the figures of `metric`; needs the year before for comparison.
    private func figures(
        of metric: HealthMetric, isSum: Bool = false, resolution: Double = 1, _ year: Int, _ days: DayRange,
        _ context: PageContext
    ) async throws -> MetricYear {
        let wanted = DayRange(days.first.advanced(byMonths: -12), through: min(days.last, context.today))
        let quantities =
            if let wanted { try await context.repository.dailyQuantities(of: metric, days: wanted) } else {
                [DailyQuantity]()
            }
        return MetricYear(
            year, of: quantities, resolution: resolution, incomplete: isSum ? context.today : nil)
    }

    /// Returns the parameter `year`, else the last recorded year; `nil` without records.
    private func shownYear(_ context: PageContext) throws(SyncFailure) -> Int? {
        let years = Self.years(context)
        guard !years.isEmpty else { return nil }
        return try context.choice("year", of: years.map { CalendarDay.padded($0, 4) }).flatMap { Int($0) }
            ?? years.last
    }

    /// The recorded years, ascending.
    private static func years(_ context: PageContext) -> [Int] {
        guard let recorded = context.recorded, recorded.first <= context.today else { return [] }
        return Array(
            recorded.first.components.year...min(recorded.last, context.today).components.year)
    }
}

/// The sections of one year.
private struct YearSections {
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
        facts.append(("Best day", BestDaysText.day(records.highest, count)))
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
            ("Longest night", BestDaysText.day(records.highest, length)),
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
            ("Lowest day", BestDaysText.day(records.lowest, rate)),
            ("Highest day", BestDaysText.day(records.highest, rate)),
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
        BestDaysText.streak(records.streak, numbers)
            + .tag("span", [.class("below")], "each at least " + figure(records.median) + ", the median")
    }

    private static func name(of month: CalendarPeriod) -> Markup {
        .text(CalendarDay.monthName(month.days.first.components.month))
    }
}
