import HealthSyncDomain
import HealthSyncPorts

/// The latest steps, heart rate and sleep, the latest day at a glance, the week up to it, and every other metric.
struct SummaryPage: Page {
    static let address = "/"
    let name = "Summary"
    let showsDay = true
    /// How to add records, for a page without any.
    let advice: String
    let catalog: MetricCatalog
    /// Finds received step samples; `nil` if the pages do not show received data.
    var receivedSteps: ReceivedStepsNote? = nil
    /// Imports a file; `nil` if the pages cannot.
    var imports: (any ImportActions)? = nil

    func content(_ context: PageContext) async throws -> [Markup] {
        let summary = try await context.repository.summary(through: try context.day(), today: context.today)
        let note = summary.steps == nil ? try await receivedSteps?.markup(of: nil, context) ?? [] : []
        guard !summary.isEmpty else {
            guard note.isEmpty else { return note }
            if let earlier = try Choice.nothing(context, at: address) { return earlier }
            if let imports {
                return [
                    .tag("p", [], "Nothing is recorded yet."),
                    await ImportForm(imports: imports, context: context).markup,
                ]
            }
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet. \(advice)"))]
        }
        let cards = SummaryCards(
            steps: summary.steps, heartRate: summary.heartRate, restingHeartRate: summary.restingHeartRate,
            sleep: summary.sleep, trends: summary.trends, numbers: context.numbers)
        let week = summary.week.map { week in
            let days = [summary.steps?.day, summary.restingHeartRate?.day, summary.sleep?.day]
            return [
                WeekSection(week: week, hasFigures: days.contains(week.days.last), numbers: context.numbers).markup
            ]
        }
        return try Choice.upTo(context, at: address) + [cards.markup] + note + (week ?? []) + others(summary, context)
    }

    private func others(_ summary: SummaryOverview, _ context: PageContext) -> [Markup] {
        guard !summary.otherMetrics.isEmpty else { return [] }
        let table = LatestMetricsTable(metrics: summary.otherMetrics, catalog: catalog, numbers: context.numbers)
        return [
            .tag("section", [.class("card"), .id("metrics")], .tag("h2", [], "Other metrics"), table.markup)
        ]
    }
}

/// The latest steps, heart rate and sleep, each with its trend.
private struct SummaryCards {
    let steps: DailyProgress?
    let heartRate: DailyProgress?
    let restingHeartRate: DailyProgress?
    let sleep: SleepEpisode?
    /// The trends of steps, resting heart rate and sleep.
    let trends: [HealthMetric: MetricTrend]
    let numbers: NumberForm

    var markup: Markup {
        .tag("div", [.class("cards")], stepsCard, heartRateCard, sleepCard)
    }

    private var stepsCard: Markup {
        card(
            "steps", "Steps", page: StepsPage.address, fixed: [("by", "hour")], day: steps?.day,
            figure: steps.map { Figure.number($0.figures.quantity, numbers.whole($0.figures.quantity)) },
            trend: trends[.steps].map { trend in
                TrendLines(
                    trend: trend, name: "Steps", suffix: " a day", words: ("more", "less"), resolution: 1,
                    text: { numbers.whole($0) })
            })
    }

    private var heartRateCard: Markup {
        card(
            "heart", "Heart rate", page: HeartRatePage.address, fixed: [("by", "hour")], day: heartRate?.day,
            figure: restingHeartRate.map { rate in
                Figure.number(rate.figures.quantity, numbers.whole(rate.figures.quantity))
                    + .tag("small", [], " /min at rest")
            } ?? range.map { $0 + .tag("small", [], " /min") },
            detail: restingHeartRate == nil ? nil : range.map { $0 + " /min" },
            trend: trends[.restingHeartRate].map { trend in
                TrendLines(
                    trend: trend, name: "Resting heart rate", suffix: " /min at rest", words: ("higher", "lower"),
                    resolution: 0.1, text: { numbers.rounded($0) })
            })
    }

    private var range: Markup? {
        guard let rate = heartRate?.figures else { return nil }
        let (low, high) = (rate.minimum ?? rate.quantity, rate.maximum ?? rate.quantity)
        return Figure.number(low, numbers.whole(low)) + " to " + Figure.number(high, numbers.whole(high))
    }

    private var sleepCard: Markup {
        card(
            "sleep", "Sleep", page: SleepPage.address, fixed: [("last", "1d")], day: sleep?.day,
            figure: sleep.map { session in
                let durations = session.durations
                let figure = SleepFigure.duration(durations.isSleepKnown ? durations.asleep : durations.inBed)
                return durations.isSleepKnown ? figure : figure + .tag("small", [.class("whole")], " in bed")
            },
            detail: sleep.flatMap { session in
                guard session.durations.isSleepKnown else { return nil }
                return SleepFigure.efficiency(session.durations, numbers) + " efficiency"
            },
            trend: trends[.sleep].map { trend in
                TrendLines(
                    trend: trend, name: "Sleep", suffix: " a night", words: ("longer", "shorter"), resolution: 1,
                    text: { DurationText.minutes($0) })
            })
    }

    private func card(
        _ id: String, _ name: String, page: String, fixed: [(name: String, value: String)], day: CalendarDay?,
        figure: Markup?, detail: Markup? = nil, trend: TrendLines? = nil
    ) -> Markup {
        guard let day, let figure else {
            return .tag(
                "section", [.class("card"), .id(id)], .tag("h2", [], .text(name)),
                .tag("p", [.class("quiet")], "Nothing recorded"))
        }
        let address = Choice.address(page, fixed + [("day", "\(day)")])
        return .tag(
            "section", [.class("card"), .id(id)],
            [
                .tag("h2", [], .tag("a", [.href(address)], .text(name))),
                .tag("p", [.class("figure")], figure),
            ] + (detail.map { [.tag("p", [], $0)] } ?? []) + [.tag("p", [.class("quiet")], Figure.day(day))]
                + (trend?.markup ?? []))
    }
}

/// Thirty days of a metric as a line, their mean, and its difference to earlier means.
private struct TrendLines {
    let trend: MetricTrend
    /// The metric in the description of the line: `Steps`.
    let name: String
    /// What follows the mean: ` a day`.
    let suffix: String
    /// The words for a larger and a smaller mean.
    let words: (more: String, less: String)
    /// The smallest difference that `text` shows.
    let resolution: Double
    /// Returns a quantity as text.
    let text: (Double) -> String

    var markup: [Markup] {
        guard let average = trend.average else { return [] }
        let quantities = trend.recent.map(\.quantity)
        let range = "from \(text(quantities.min() ?? average)) to \(text(quantities.max() ?? average))"
        let line = Sparkline(
            description: "\(name), 30 days to \(trend.days.last.dateInWords): \(range)", days: trend.days,
            quantities: trend.recent)
        let lines: [Markup] =
            ["30 days: " + Figure.number(average, text(average)) + .text(suffix)]
            + comparison(average, with: trend.averageBefore, of: "the 30 days before")
            + comparison(average, with: trend.averageYearAgo, of: "a year ago")
        return [line.markup ?? .nothing, .tag("ul", [.class("trend")], lines.map { .tag("li", [], $0) })]
    }

    /// Returns `▼ 616 less than the 30 days before (9,210)`. The difference is that of the numbers shown.
    private func comparison(_ average: Double, with earlier: Double?, of time: String) -> [Markup] {
        guard let earlier else { return [] }
        let difference = rounded(average) - rounded(earlier)
        let figure = Figure.number(earlier, text(earlier))
        if difference.magnitude < resolution / 2 { return ["the same as \(time) (" + figure + ")"] }
        let mark = Markup.tag("span", [.init("aria-hidden", "true")], difference > 0 ? "▲ " : "▼ ")
        let word = difference > 0 ? words.more : words.less
        return [mark + .tag("strong", [], .text(text(difference.magnitude))) + " \(word) than \(time) (" + figure + ")"]
    }

    private func rounded(_ value: Double) -> Double { (value / resolution).rounded() * resolution }
}

/// A small line of daily quantities, without axes. Days without a quantity interrupt it.
private struct Sparkline {
    /// The content in words.
    let description: String
    let days: DayRange
    /// Ascending by day.
    let quantities: [DailyQuantity]

    private static let height = 40.0
    // The stroke needs space above and below the line.
    private static let margin = 3.0

    /// The drawing; `nil` for fewer than two quantities.
    var markup: Markup? {
        let values = quantities.map(\.quantity)
        guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
        let width = Double(days.count - 1)
        return .tag(
            "svg",
            [
                .class("spark"),
                .init("viewBox", "-0.5 0 \(Coordinate.text(width + 1)) \(Coordinate.text(Self.height))"),
                .init("preserveAspectRatio", "none"), .init("role", "img"), .init("aria-label", description),
            ], .tag("path", [.init("d", path(low: low, high: high))]))
    }

    private func path(low: Double, high: Double) -> String {
        var path = ""
        var last: CalendarDay?
        for one in quantities {
            // Halves, so that differences between very large numbers stay finite.
            let share = high > low ? (one.quantity / 2 - low / 2) / (high / 2 - low / 2) : 0.5
            let y = Self.margin + (1 - share) * (Self.height - 2 * Self.margin)
            let place = "\(one.day.ordinal - days.first.ordinal) \(Coordinate.text(y))"
            // A line of no length draws a single day as a dot.
            path += last == one.day.advanced(by: -1) ? "L\(place)" : "M\(place)h0"
            last = one.day
        }
        return path
    }
}

/// A day at a glance, and the week up to it.
private struct WeekSection {
    let week: WeekOverview
    /// Whether a metric has figures of the last day: its overview may not be derived yet.
    let hasFigures: Bool
    let numbers: NumberForm

    private typealias Glance = (
        name: String, unit: String, places: Int, isSum: Bool, value: @Sendable (ActivitySnapshot) -> Double?
    )

    private static let glances: [Glance] = [
        ("Steps", "", 0, true, { $0.steps }), ("Walked", " km", 2, true, { $0.walkingDistanceKilometres }),
        ("Active energy", " kcal", 0, true, { $0.activeEnergyKilocalories }),
        ("Exercise", " min", 0, true, { $0.exerciseMinutes }),
        ("At rest", " /min", 0, false, { $0.restingHeartRate }), ("Asleep", "", 0, false, { $0.minutesAsleep }),
    ]

    var markup: Markup {
        let last = week.days.last
        let snapshot = week.snapshots.last ?? ActivitySnapshot(day: last)
        return .tag(
            "div", [],
            .tag(
                "section", [.class("card"), .id("glance")], .tag("h2", [], Figure.day(last)),
                snapshot.isEmpty
                    ? .tag("p", [], .text(hasFigures ? Self.underived : Self.nothing))
                    : FactList.markup(Self.glances.compactMap { fact($0, snapshot) })),
            week.snapshots.allSatisfy(\.isEmpty)
                ? .nothing
                : .tag(
                    "section", [.class("card"), .id("week")], .tag("h2", [], "Week at a glance"), chart, table.markup))
    }

    private static let nothing = "No steps, distance, energy, exercise, resting heart rate or sleep on this day."
    private static let underived = "The overview of this day is not derived yet. The next run derives it."

    private func fact(_ glance: Glance, _ snapshot: ActivitySnapshot) -> (name: String, value: Markup)? {
        glance.value(snapshot).map { (glance.name, cell($0, glance)) }
    }

    private func cell(_ value: Double, _ glance: Glance) -> Markup {
        guard glance.name != "Asleep" else { return Figure.number(value, DurationText.minutes(value)) }
        return Figure.number(value, numbers.rounded(value, places: glance.places) + glance.unit)
    }

    private var chart: Markup {
        let columns = week.snapshots.map { snapshot in
            let steps = snapshot.steps.map { "\(numbers.whole($0)) steps" } ?? "no steps recorded"
            var column = ChartColumn(
                "\(Figure.dayText(snapshot.day)): \(steps)", label: snapshot.day.weekdayName,
                address: Choice.address(StepsPage.address, [("by", "hour"), ("day", "\(snapshot.day)")]))
            column.parts = [(snapshot.steps ?? 0, "bar")]
            column.isPartial = snapshot.day == week.incompleteDay && snapshot.steps != nil
            return column
        }
        return ColumnChart(
            description: "Steps of seven days", columns: columns, unit: 1, area: ChartArea(height: 180),
            mark: { numbers.mark($0) }
        ).markup
    }

    private var table: DataTable {
        let glances = Self.glances.filter { glance in week.snapshots.contains { glance.value($0) != nil } }
        var table = DataTable(
            "Seven days and their averages",
            [.text("Day")] + glances.map { .number($0.name) })
        for snapshot in week.snapshots.reversed() {
            table.add(
                [Figure.day(snapshot.day)]
                    + glances.map { glance in glance.value(snapshot).map { cell($0, glance) } ?? "–" })
        }
        table.add(
            [.text(week.averagesLackToday ? "Average, sums without today" : "Average")]
                + glances.map { glance in
                    week.average(ofSum: glance.isSum, glance.value).map { cell($0, glance) } ?? "–"
                })
        return table
    }
}
