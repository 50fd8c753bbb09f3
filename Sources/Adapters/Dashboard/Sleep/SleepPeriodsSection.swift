import HealthSyncDomain

/// Sleep by months or years: the average night, and how regular the nights are.
struct SleepPeriodsSection {
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
