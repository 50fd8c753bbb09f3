import HealthSyncDomain

/// All recorded days of a metric: the best days, the longest streaks, and the means of months as a line.
struct HistorySection {
    /// The title of the metric.
    let title: String
    /// The names of the extremes, and what follows a mean: ` a day`.
    let words: (highest: String, lowest: String, each: String)
    /// Whether a larger quantity is better, so that days with at least the median are a streak.
    let hasStreaks: Bool
    let records: MetricRecords
    let history: MetricHistory
    /// Whether the incomplete sum of today is left out.
    var lacksToday = false
    /// The axis shows quantities divided by this: 60 for minutes as hours.
    var divisor = 1.0
    /// The smallest difference that `mark` shows.
    let resolution: Double
    let numbers: NumberForm
    /// Returns a quantity with its unit.
    let fact: (Double) -> Markup
    /// Returns a mean without its unit; means of rates have a decimal.
    let mean: (Double) -> String
    /// What follows a mean in a title: the unit.
    let suffix: String
    /// Returns the label of a mark on an axis.
    let mark: (Double) -> String
    /// Returns a change with its unit.
    let change: (Double) -> String

    /// The records, and with at least two months the trend.
    var markup: [Markup] {
        [
            .tag(
                "section", [.class("card"), .id("records")], .tag("h2", [], "\(title), records"), FactList.markup(facts)
            )
        ]
            + (history.months.count > 1 ? [trend] : [])
    }

    private var facts: [(name: String, value: Markup)] {
        var facts: [(name: String, value: Markup)] = [
            (words.highest, BestDaysText.day(records.highest, fact)),
            (words.lowest, BestDaysText.day(records.lowest, fact)),
        ]
        if hasStreaks {
            let bound = Markup.tag(
                "span", [.class("below")],
                "each at least " + fact(records.median) + ", the median")
            facts.append(("Longest streak", BestDaysText.streak(records.streak, numbers) + bound))
        }
        let note: Markup = lacksToday ? .tag("span", [.class("below")], "without today") : .nothing
        facts.append(("Longest without a gap", BestDaysText.streak(records.recordedStreak, numbers) + note))
        return facts
    }

    private var trend: Markup {
        let name = "\(title) by month, average\(words.each)"
        let chart = MonthsChart(
            description: name, months: history.months, divisor: divisor, unit: resolution, mark: mark,
            text: { mean($0) + suffix })
        return .tag(
            "section", [.class("card"), .id("trend")], .tag("h2", [], "\(title), all years"), slope, chart.markup,
            table(name).behindChart, Self.note(shortMonths: history.shortMonths))
    }

    /// States how many months have too few days for the curve and table of months; nothing for none.
    static func note(shortMonths: Int) -> Markup {
        guard shortMonths > 0 else { return .nothing }
        let months = CountText.of(shortMonths, "month")
        return .tag(
            "p", [.class("quiet")],
            "\(months) with fewer than \(MetricHistory.leastDays) recorded days \(shortMonths == 1 ? "is" : "are") left out."
        )
    }

    /// The slope in words: `▼ 0.4 /min a year`.
    private var slope: Markup {
        guard let slope = history.changePerYear else { return .nothing }
        let figure = Markup.tag("strong", [], Figure.number(slope.magnitude, change(slope.magnitude)))
        let mark = Markup.tag("span", [.init("aria-hidden", "true")], slope < 0 ? "▼ " : "▲ ")
        let verb: Markup = slope < 0 ? "Falls by " : "Rises by "
        let isFlat = change(slope.magnitude) == change(0) || slope.magnitude < history.leastChange
        let statement: Markup = isFlat ? "No change" : mark + verb + figure + " a year"
        return .tag("p", [.id("slope")], statement + ", by the straight line through all days.")
    }

    private func table(_ caption: String) -> DataTable {
        let months = Dictionary(
            history.months.map { ($0.period.days.first, $0.average) }
        ) { first, _ in first }
        var table = DataTable(
            caption, [.text("Year")] + (1...12).map { .number(CalendarDay.monthName($0)) } + [.number("Year")])
        for year in history.years.reversed() {
            let averages = (1...12).map { CalendarDay(year: year.year, month: $0, day: 1).flatMap { months[$0] } }
            let cells: [Markup] = (averages + [year.average]).map { average in
                average.map { Figure.number($0, mean($0)) } ?? "–"
            }
            table.add(["\(year.year)"] + cells)
        }
        return table
    }
}

extension HistorySection {
    /// Creates the section of sleep, of minutes asleep; `nil` without nights.
    init?(ofSleep quantities: [DailyQuantity], _ numbers: NumberForm) {
        guard let records = MetricRecords(quantities, resolution: 1) else { return nil }
        self.init(
            title: "Sleep", words: ("Longest night", "Shortest night", " a night"), hasStreaks: true, records: records,
            history: MetricHistory(quantities), divisor: 60,
            resolution: 0.05, numbers: numbers,
            fact: { Figure.number($0, DurationText.minutes($0)) }, mean: { DurationText.minutes($0) },
            suffix: "", mark: { numbers.rounded($0, places: 2) + " h" },
            change: { $0 < 60 ? numbers.rounded($0, places: $0 < 10 ? 1 : 0) + " min" : DurationText.minutes($0) })
    }
}

/// Best days and streaks in words.
enum BestDaysText {
    /// Returns `12,345` with its day below.
    static func day(_ record: DailyQuantity, _ figure: (Double) -> Markup) -> Markup {
        figure(record.quantity) + .tag("span", [.class("below")], Figure.day(record.day))
    }

    /// Returns `1,023 days` with the first and the last of them below.
    static func streak(_ days: DayRange, _ numbers: NumberForm) -> Markup {
        let count =
            Figure.number(Double(days.count), numbers.whole(Double(days.count))) + (days.count == 1 ? " day" : " days")
        let ends = days.count == 1 ? Figure.day(days.first) : Figure.day(days.first) + " to " + Figure.day(days.last)
        return count + .tag("span", [.class("below")], ends)
    }
}
