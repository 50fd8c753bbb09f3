import HealthSyncDomain
import HealthSyncPorts

/// Sleep: a night by its stages, the nights of 7 days, 30 days or 3 months, months, years, or all nights.
struct SleepPage: Page {
    static let address = "/view/sleep"
    let name = "Sleep"
    let showsDay = true

    private static let choices = [
        ("1d", "Day"), ("7d", "7 days"), ("30d", "30 days"), ("3mo", "3 months"), ("months", "Months"),
        ("years", "Years"), ("all", "All nights"),
    ]

    func content(_ context: PageContext) async throws -> [Markup] {
        let last = try context.choice("last", of: Self.choices.map(\.0)) ?? "7d"
        let latest = try await context.repository.latestDay(of: .sleep, through: context.today)
        let day = try context.day(latest: latest)
        let choices = Self.choices.map { choice in
            (name: choice.1, address: nightAddress(day, last: choice.0), isCurrent: choice.0 == last)
        }
        guard let periods = LongSleep(rawValue: last) else {
            return [Choice.of("Period", choices)] + (try await nights(last, day, latest: latest, context))
        }
        // Read once: a server must decode its records to find the nights.
        let nights = try await hours(of: context.recorded ?? DayRange(day), context)
        let quantities = nights.compactMap { night in
            night.asleep.map { DailyQuantity(day: night.day, quantity: Double($0) / 60_000) }
        }
        let history = HistorySection(ofSleep: quantities, context.numbers)?.markup ?? []
        return [Choice.of("Period", choices)] + content(periods, of: nights, day, latest: latest, context) + history
    }

    /// The choices of more nights than a page can list.
    private enum LongSleep: String {
        case months
        case years
        case all
    }

    /// Returns months, years or all nights; `nights` are all recorded ones.
    private func content(
        _ periods: LongSleep, of nights: [NightHours], _ day: CalendarDay, latest: CalendarDay?, _ context: PageContext
    ) -> [Markup] {
        guard periods != .all else { return AllNightsSection(nights: nights, context: context).markup }
        let view: PeriodView = periods == .months ? .month : .year
        let days = view.days(through: day, recorded: context.recorded)
        let complete = context.completeDays(latest: latest, ofNights: true)
        let section = SleepPeriodsSection(
            periods: SleepPeriod.periods(
                view.unit ?? .year, of: days, nights: nights.filter { days.contains($0.day) }),
            view: view, complete: complete, context: context,
            address: { period in
                let last = min(period.days.last, latest ?? period.days.last)
                return nightAddress(last, last: view == .month ? "30d" : "months")
            })
        return (view == .month ? [stretch(days, day, last: "months", latest: latest, context)] : []) + [section.markup]
    }

    /// Returns a night, or the nights of up to three months.
    private func nights(
        _ last: String, _ day: CalendarDay, latest: CalendarDay?, _ context: PageContext
    ) async throws -> [Markup] {
        let days = LookBack(last)?.days(through: day) ?? DayRange(day)
        let overview = SleepOverview(days: days, sessions: try await context.repository.sleep(days: days))
        let regularity =
            last == "30d" || last == "3mo"
            ? RegularitySection(
                regularity: SleepRegularity(try await hours(of: days, context)), form: context.clockForm
            ).markup : nil
        let content =
            last == "1d"
            ? SleepNightSection(overview: overview, day: day, context: context).markup
            : SleepRangeSection(overview: overview, context: context) { nightAddress($0, last: "1d") }.markup
        return [stretch(days, day, last: last, latest: latest, context)] + content + (regularity.map { [$0] } ?? [])
    }

    /// Returns the hours of the nights of `days` up to today.
    private func hours(of days: DayRange, _ context: PageContext) async throws -> [NightHours] {
        try await context.repository.nights(days: days).filter { $0.day <= context.today }
            .map { NightHours($0, clock: context.clock) }
    }

    private func nightAddress(_ day: CalendarDay, last: String) -> String {
        Choice.address(address, [("last", last), ("day", "\(day)")])
    }

    private func stretch(
        _ days: DayRange, _ day: CalendarDay, last: String, latest: CalendarDay?, _ context: PageContext
    ) -> Markup {
        let isNight = days.count == 1
        let name: Markup =
            isNight
            ? "Night to " + Figure.day(day) : "Nights to " + Figure.day(days.first) + " – " + Figure.day(days.last)
        let recorded = context.recorded
        let before = recorded.flatMap { $0.first < days.first ? min(days.first.advanced(by: -1), $0.last) : nil }
        let after = recorded.flatMap { recorded in
            recorded.last > days.last
                ? max(min(days.last.advanced(by: days.count), recorded.last), recorded.first) : nil
        }
        return Choice.stretch(
            name, before: before, after: after, latest: latest.flatMap { days.contains($0) ? nil : $0 }, day: day,
            path: address, fixed: [("last", last)],
            names: isNight ? ("Previous night", "Next night") : ("Earlier", "Later"))
    }
}

/// Every recorded night, by years.
private struct AllNightsSection {
    /// Ascending by day.
    let nights: [NightHours]
    let context: PageContext

    var markup: [Markup] {
        guard !nights.isEmpty else {
            return [.tag("section", [.class("card")], .tag("p", [], "No nights were recorded."))]
        }
        let years = Dictionary(grouping: nights) { $0.day.components.year }.sorted { $0.key > $1.key }
        let minutes = NightsChart.range(of: nights)
        let rows = years.map { year, nights in
            let chart = NightsChart(
                nights: nights, year: year, minutes: minutes,
                description: "\(CountText.of(nights.count, "night")) of \(year), from falling asleep to waking")
            let slept = nights.compactMap(\.asleep)
            let average = slept.isEmpty ? nil : slept.reduce(0, +) / Int64(slept.count)
            return (
                name: Markup.tag("a", [.href(address(year))], "\(year)"), drawing: chart.markup,
                figures: (average.map { .tag("strong", [], SleepFigure.duration($0)) + " a night" } ?? .nothing)
                    + .tag("span", [.class("below")], .text(Self.count(nights, slept: slept.count)))
            )
        }
        let regularity = RegularitySection(regularity: SleepRegularity(nights), form: context.clockForm).markup
        return (regularity.map { [$0] } ?? []) + [
            .tag(
                "section", [.class("card"), .id("nights")],
                [
                    .tag(
                        "h2", [],
                        "Every night, " + RegularitySection.hours(minutes, context.clockForm)),
                    YearRows.markup(rows),
                ] + legend(minutes) + [table(years).behindChart])
        ]
    }

    private static func count(_ nights: [NightHours], slept: Int) -> String {
        slept > 0 ? CountText.of(slept, "night") : CountText.of(nights.count, "night") + " in bed"
    }

    private func address(_ year: Int) -> String {
        Choice.address(SleepPage.address, [("last", "3mo"), ("day", "\(CalendarDay.padded(year, 4))-12-31")])
    }

    private func legend(_ minutes: ClosedRange<Double>) -> [Markup] {
        let outside = nights.count { $0.start < minutes.lowerBound || $0.end > minutes.upperBound }
        let inBed = nights.count { $0.asleep == nil }
        var notes = ""
        if outside > 0 {
            notes += " \(CountText.of(outside, "night")) \(outside == 1 ? "extends" : "extend") beyond these hours."
        }
        if inBed == nights.count {
            notes += " Only the time in bed is known."
        } else if inBed > 0 {
            notes +=
                " Of \(CountText.of(inBed, "night")) only the time in bed is known; "
                + "\(inBed == 1 ? "it is" : "they are") not counted."
        }
        return [
            .tag(
                "p", [.class("quiet")],
                "A line is a night from its start (top) to its end. Horizontal lines mark midnight, \(context.clockForm.text("06:00")) and further quarters of the day. Gaps are nights without a record.\(notes)"
            )
        ] + (inBed > 0 ? [colors] : [])
    }

    private var colors: Markup {
        .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            nights.contains { $0.asleep != nil } ? .tag("li", [.class("slept")], "asleep") : .nothing,
            .tag("li", [.class("in-bed")], "only in bed"))
    }

    private func table(_ years: [(key: Int, value: [NightHours])]) -> DataTable {
        var table = DataTable(
            "Nights by year",
            [
                .text("Year"), .number("Nights with sleep"), .number("Middle on workdays"),
                .number("Middle on weekends"), .number("Spread"),
            ])
        for (year, nights) in years {
            let regularity = SleepRegularity(nights)
            let times = [regularity.workdayMiddle, regularity.weekendMiddle].map { middle in
                middle.map { RegularitySection.time($0, context.clockForm) } ?? "–"
            }
            let slept = nights.count { $0.asleep != nil }
            table.add(
                ["\(year)", Figure.number(Double(slept), "\(slept)")] + times
                    + [regularity.spread.map { SleepFigure.duration(Int64($0 * 60_000)) } ?? "–"])
        }
        return table
    }
}

/// Sleep by months or years: the average night, and how regular the nights are.
private struct SleepPeriodsSection {
    let periods: [SleepPeriod]
    let view: PeriodView
    /// The days whose nights are complete; `nil` for none.
    let complete: DayRange?
    let context: PageContext
    /// The address of the nights of a period.
    let address: (CalendarPeriod) -> String

    var markup: Markup {
        guard periods.contains(where: { !$0.nights.isEmpty }) else {
            let time = view == .year ? "" : " in this time"
            return .tag("section", [.class("card")], .tag("p", [], "No nights were recorded\(time)."))
        }
        guard periods.contains(where: { $0.averageAsleep != nil }) else {
            return .tag("section", [.class("card"), .id("periods")], .tag("p", [], SleepFigure.onlyInBed))
        }
        return .tag(
            "section", [.class("card"), .id("periods")],
            .tag("h2", [], .text("Average a night, \(view.name.lowercased())")), comparison, chart,
            table.markup, inBedNote)
    }

    private var inBedNote: Markup {
        let inBed = periods.reduce(0) { $0 + $1.nights.count - $1.sleptNights }
        let note = SleepAverages.note(onlyInBed: inBed) { context.numbers.whole(Double($0)) }
        return note.map { .tag("p", [.class("quiet")], .text($0.inSentenceCase + ".")) } ?? .nothing
    }

    /// Compares the latest period with the one before: `Nov 2026: 7 h 28 min a night, 23 min longer than in Oct 2026
    /// (7 h 5 min)`. Nothing if the one before lacks its first days.
    private var comparison: Markup {
        guard let index = periods.lastIndex(where: { $0.averageAsleep != nil }), index > 0,
            let now = periods[index].averageAsleep, let then = periods[index - 1].averageAsleep,
            !periods[index - 1].period.isPartial(within: complete)
        else { return .nothing }
        // The difference of the shown minutes.
        let difference = ((now / 60_000).rounded() - (then / 60_000).rounded()) * 60_000
        let size = DurationText.minutes(milliseconds: difference.magnitude)
        let words: Markup =
            size == DurationText.minutes(milliseconds: 0)
            ? "as long as in "
            : .tag("strong", [], Figure.number(difference.magnitude / 60_000, size))
                + (difference < 0 ? " shorter than in " : " longer than in ")
        let names = [index, index - 1].map { ColumnLabels.fullName(periods[$0].period) }
        return .tag(
            "p", [.id("comparison")], "\(names[0]): ", SleepFigure.duration(Int64(now.rounded())), " a night, ", words,
            "\(names[1]) (", SleepFigure.duration(Int64(then.rounded())), ").")
    }

    private var chart: Markup {
        let columns = periods.map { period in
            let name = ColumnLabels.fullName(period.period)
            let label = ColumnLabels.period(period.period)
            guard let asleep = period.averageAsleep else {
                return ChartColumn("\(name): no sleep recorded", label: label)
            }
            let length = DurationText.minutes(milliseconds: asleep)
            let nights = CountText.of(period.sleptNights, "night")
            var column = ChartColumn(
                "\(name): \(length) a night, \(nights)", label: label, address: address(period.period))
            column.parts = [(asleep / 3_600_000, "bar")]
            column.isPartial = period.period.isPartial(within: complete)
            return column
        }
        return ColumnChart(
            description: "Sleep \(view.name.lowercased()), average hours a night", columns: columns, unit: 0.5,
            mark: { "\(context.numbers.rounded($0)) h" }
        ).markup
    }

    private var table: DataTable {
        var table = DataTable(
            "Average a night, \(view.name.lowercased())",
            [
                .text("When"), .number("Asleep"), .number("Nights"), .number("Middle on workdays"),
                .number("Middle on weekends"), .number("Spread of the middle"),
            ])
        for period in periods.reversed() where !period.nights.isEmpty {
            let regularity = period.regularity
            let middles = [regularity.workdayMiddle, regularity.weekendMiddle].map { middle in
                middle.map { RegularitySection.time($0, context.clockForm) } ?? "–"
            }
            let link = Markup.tag(
                "a", [.href(address(period.period)), .class("whole")], .text(ColumnLabels.fullName(period.period)))
            table.add(
                [
                    link, period.averageAsleep.map { SleepFigure.duration(Int64($0.rounded())) } ?? "–",
                    Figure.number(Double(period.sleptNights), "\(period.sleptNights)"),
                ] + middles + [regularity.spread.map { SleepFigure.duration(Int64($0 * 60_000)) } ?? "–"])
        }
        return table
    }
}
