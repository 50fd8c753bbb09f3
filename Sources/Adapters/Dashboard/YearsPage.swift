import HealthSyncDomain
import HealthSyncPorts

/// Every day of all years: steps, minutes asleep or resting heart rate.
struct YearsPage: Page {
    static let address = "/view/years"
    let name = "Years"
    /// The page shows all days; its link to a year leads to that of the day.
    let showsDay = true

    func content(_ context: PageContext) async throws -> [Markup] {
        let shown =
            try context.choice("of", of: MappedMetric.allCases.map(\.rawValue))
            .flatMap { MappedMetric(rawValue: $0) } ?? .steps
        let day = try context.day()
        let kept = day.map { [("day", "\($0)")] } ?? []
        let choices = Choice.of(
            "Metric",
            MappedMetric.allCases.map { one in
                (one.title, Choice.address(address, [("of", one.rawValue)] + kept), one == shown)
            })
        let quantities = try await context.allQuantities(of: shown.metric)
        guard let first = quantities.first?.day, let last = quantities.last?.day,
            let days = DayRange(first, through: last)
        else {
            let nights: [NightTimes] =
                if shown == .sleep, let recorded = context.recorded {
                    try await context.repository.nights(days: recorded)
                } else { [] }
            let text = nights.isEmpty ? "No records of this metric." : SleepFigure.onlyInBed
            return [choices, .tag("section", [.class("card")], .tag("p", [], text))]
        }
        let map = YearMap(
            quantities, resolution: shown.resolution, incomplete: shown.isSum ? context.today : nil)
        let section = YearMapSection(shown: shown, map: map, days: days, numbers: context.numbers)
        let year = Markup.tag(
            "a", [.href(YearPage.address(of: min(max(day ?? last, first), last).components.year))], "Your year")
        return [choices, .tag("p", [], year + ": one page to print."), section.markup]
    }
}

/// A metric that the page of years shows.
private enum MappedMetric: String, CaseIterable {
    case steps
    case sleep
    case resting

    var metric: HealthMetric {
        switch self {
        case .steps: .steps
        case .sleep: .sleep
        case .resting: .restingHeartRate
        }
    }

    var title: String {
        switch self {
        case .steps: "Steps"
        case .sleep: "Sleep"
        case .resting: "Resting heart rate"
        }
    }

    /// Whether the quantity of a day grows until the day ends. The sleep of a day ends in the morning.
    var isSum: Bool { self == .steps }

    /// The smallest difference between bounds of levels: steps, minutes, or beats per minute.
    var resolution: Double { 1 }

    /// What follows the average of a year.
    var suffix: String {
        switch self {
        case .steps: " a day"
        case .sleep: " a night"
        case .resting: " /min"
        }
    }

    /// Returns the address of the page with the figures of `year`.
    func address(of year: Int) -> String {
        let last = "\(CalendarDay.padded(year, 4))-12-31"
        switch self {
        case .steps: return Choice.address(StepsPage.address, [("by", "month"), ("day", last)])
        case .sleep: return Choice.address(SleepPage.address, [("last", "3mo"), ("day", last)])
        case .resting: return Choice.address(HeartRatePage.address, [("by", "month"), ("day", last)])
        }
    }

    /// Returns a quantity as text; means of heart rates have a decimal.
    func text(_ quantity: Double, _ numbers: NumberForm, isMean: Bool = false) -> String {
        switch self {
        case .steps: numbers.whole(quantity)
        case .sleep: DurationText.minutes(quantity)
        case .resting: numbers.rounded(quantity, places: isMean ? 1 : 0)
        }
    }

    /// Returns a quantity as a figure.
    func figure(_ quantity: Double, _ numbers: NumberForm, isMean: Bool = false) -> Markup {
        Figure.number(quantity, text(quantity, numbers, isMean: isMean))
    }
}

/// The map of all years of a metric, its colors, and its monthly means as a table.
private struct YearMapSection {
    let shown: MappedMetric
    let map: YearMap
    /// From the first to the last day with a quantity.
    let days: DayRange
    let numbers: NumberForm

    var markup: Markup {
        let rows = map.years.map { year in
            (
                name: Markup.tag("a", [.href(shown.address(of: year.year))], "\(year.year)"), drawing: drawing(year),
                figures: figures(year)
            )
        }
        return .tag(
            "section", [.class("card"), .id("map")], .tag("h2", [], "\(shown.title), a square for each day"),
            YearRows.markup(rows), legend, table.behindChart,
            HistorySection.note(shortMonths: map.years.reduce(0) { $0 + $1.shortMonths }))
    }

    private func drawing(_ year: YearMap.Year) -> Markup {
        let average = shown.text(year.average, numbers, isMean: true)
        return YearMapChart(
            map: map, year: year, recorded: days,
            description:
                "\(shown.title) of \(year.year), \(year.quantities.count) days, \(average)\(shown.suffix) on average"
        ).markup
    }

    private func figures(_ year: YearMap.Year) -> Markup {
        let average = Markup.tag("strong", [], shown.figure(year.average, numbers, isMean: true)) + .text(shown.suffix)
        let extreme: Markup
        switch shown {
        case .steps: extreme = "most " + shown.figure(year.highest.quantity, numbers)
        case .sleep: extreme = "longest " + shown.figure(year.highest.quantity, numbers)
        case .resting:
            extreme =
                shown.figure(year.lowest.quantity, numbers) + " to " + shown.figure(year.highest.quantity, numbers)
        }
        return average + .tag("span", [.class("below")], extreme)
    }

    private var legend: Markup {
        let count = map.bounds.count + 1
        let names =
            ["under \(map.bounds.first.map { shown.text($0, numbers) } ?? "")"]
            + map.bounds.map { "from \(shown.text($0, numbers))" }
        let levels = count == 1 ? ["all days"] : names
        return .tag(
            "ul", [.class("legend"), .init("aria-label", "Colors")],
            levels.enumerated().map { level, name in
                .tag("li", [.class("level-\(YearMapChart.color(of: level, among: count))")], .text(name))
            } + [.tag("li", [.class("missing")], shown == .sleep ? "no sleep recorded" : "not recorded")])
    }

    private var table: DataTable {
        var table = DataTable(
            "\(shown.title), average by month",
            [.text("Year")] + (1...12).map { .number(CalendarDay.monthName($0)) } + [.number("Year")])
        for year in map.years {
            let cells = (year.months + [year.average]).map { mean in
                mean.map { shown.figure($0, numbers, isMean: true) } ?? "–"
            }
            table.add(["\(year.year)"] + cells)
        }
        return table
    }
}

/// A year of days: a column for each week, a square for each day from Monday down. One path for each level keeps ten
/// years small.
private struct YearMapChart {
    let map: YearMap
    let year: YearMap.Year
    /// The days that may have a quantity; those without one are dots.
    let recorded: DayRange
    /// The content in words.
    let description: String

    /// The number of levels for which there are colors.
    static let levels = 5

    var markup: Markup {
        var paths = [String](repeating: "", count: Self.levels)
        var missing = ""
        let levels = Dictionary(year.quantities.map { ($0.day, map.level(of: $0.quantity)) }) { first, _ in first }
        guard let first = CalendarDay(year: year.year, month: 1, day: 1) else { return .nothing }
        let period = CalendarPeriod(.year, holding: first)
        for (index, day) in period.days.enumerated() {
            let slot = index + first.isoWeekday - 1
            let place = "M\(slot / 7) \(slot % 7)"
            if let level = levels[day] {
                paths[Self.color(of: level, among: map.bounds.count + 1)] += place + "h.9"
            } else if recorded.contains(day) {
                missing += place + "m.35 0h.2"
            }
        }
        return .tag(
            "svg",
            [
                .class("map"), .init("viewBox", "0 -.5 54 7"), .init("role", "img"),
                .init("aria-label", description),
            ],
            paths.enumerated().filter { !$0.element.isEmpty }.map { level, path in
                Markup.tag("path", [.class("level-\(level)"), .init("d", path)])
            } + (missing.isEmpty ? [] : [.tag("path", [.class("missing"), .init("d", missing)])]))
    }

    /// Returns the color of a level: few levels use colors that are far apart.
    static func color(of level: Int, among count: Int) -> Int {
        count < 2 ? levels / 2 : level * (levels - 1) / (count - 1)
    }
}
