import HealthSyncDomain

/// Every recorded night, by years.
struct AllNightsSection {
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
