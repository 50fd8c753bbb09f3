import HealthSyncDomain

/// The latest figures of every metric, each with its day, and the week up to them.
struct LatestView: JSONEncodable {
    let summary: SummaryOverview
    let clock: DayClock
    let catalog: MetricCatalog
    let freshness: DataFreshness?

    /// Returns the output for a terminal or a file.
    func lines(_ style: OutputStyle) -> [String] {
        let ending = freshness.map { DisplayText.wrapped($0.text, columns: style.width) + [""] } ?? []
        let trends = TrendTable(trends: summary.trends).lines(style)
        return ending + figures(style) + (trends.isEmpty ? [] : [""] + trends)
            + (summary.week.map { [""] + WeekView(week: $0).lines(style) } ?? [])
    }

    /// Returns the latest figure of each metric with its day.
    func figures(_ style: OutputStyle) -> [String] {
        let others = summary.otherMetrics.map { progress in
            let view = ProgressView(progress: progress, catalog: catalog)
            return (view.name, Optional(view.text), Optional(progress.day))
        }
        let rows =
            [
                ("steps", steps, summary.steps?.day), ("heart rate", heartRate, summary.heartRate?.day),
                ("sleep", sleep, summary.sleep?.day),
            ] + others
        var table = TextTable([.left, .left, .left])
        for (name, text, day) in rows { table.add(name, text ?? "none", day.map { "\($0)" } ?? "") }
        if let width = style.width, table.width > width {
            table = TextTable([.left, .left])
            for (name, text, day) in rows {
                table.add(name, text ?? "none")
                if let day { table.add("", "\(day)") }
            }
            table.cut(0, toFit: style.width)
        }
        return table.lines()
    }

    var json: JSONValue {
        [
            "freshness": freshness,
            "steps": summary.steps.map { ProgressView(progress: $0) },
            "heartRate": summary.heartRate.map { ProgressView(progress: $0) },
            "restingHeartRate": summary.restingHeartRate.map { ProgressView(progress: $0) },
            "sleep": summary.sleep.map { SleepEpisodeView(sleep: $0, clock: clock) },
            "snapshot": summary.snapshot.map { SnapshotView(snapshot: $0) },
            "metrics": summary.metrics.map { ProgressView(progress: $0) },
            "trends": summary.trends.sorted { $0.key < $1.key }.map { TrendView(metric: $0.key, trend: $0.value) },
            "week": (summary.week?.snapshots ?? []).map { SnapshotView(snapshot: $0) },
        ]
    }

    private var steps: String? { summary.steps.map { Figures.rounded($0.figures.quantity, places: 0) } }
    private var heartRate: String? {
        guard let rate = summary.heartRate else { return nil }
        guard let resting = summary.restingHeartRate else { return ProgressView(progress: rate).text }
        let atRest = "\(Figures.rounded(resting.figures.quantity, places: 0))/min at rest"
        guard let low = rate.figures.minimum, let high = rate.figures.maximum else { return atRest }
        return "\(atRest) (\(Figures.rounded(low, places: 0)) to \(Figures.rounded(high, places: 0))/min)"
    }
    private var sleep: String? { summary.sleep.map { SleepEpisodeView(sleep: $0, clock: clock).summary } }
}

/// The means of the last thirty days, of the thirty days before and of those a year ago.
private struct TrendTable {
    let trends: [HealthMetric: MetricTrend]

    /// Returns the table; empty if no metric has a mean.
    func lines(_ style: OutputStyle) -> [String] {
        let rows = Self.rows.compactMap { row in
            trends[row.metric].flatMap { trend in trend.average.map { (row, trend, $0) } }
        }
        guard !rows.isEmpty else { return [] }
        var table = TextTable(heads: [
            ("mean per day", .left), ("30 days", .right), ("30 before", .right), ("a year ago", .right),
        ])
        for (row, trend, average) in rows {
            table.add(
                row.name, row.text(average), trend.averageBefore.map(row.text) ?? "-",
                trend.averageYearAgo.map(row.text) ?? "-")
        }
        return table.lines(fitting: style)
    }

    private struct Row {
        let metric: HealthMetric
        let name: String
        let text: @Sendable (Double) -> String
    }

    private static let rows: [Row] = [
        Row(metric: .steps, name: "steps") { Figures.rounded($0, places: 0) },
        Row(metric: .restingHeartRate, name: "resting heart rate") { Figures.rounded($0) + "/min" },
        Row(metric: .sleep, name: "asleep") { DurationText.minutes($0) },
    ]
}

/// The means of seven days, on a terminal with a sparkline each.
private struct WeekView {
    let week: WeekOverview

    /// Returns the output for a terminal or a file.
    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([.left, .left])
        var charts: [String] = []
        for row in Self.rows {
            guard let average = week.average(ofSum: row.isSum, row.figure) else { continue }
            table.add(row.name, row.text(average))
            let values = week.snapshots.map(row.figure)
            charts.append(Sparkline.line(values, from: row.isFromZero ? 0 : nil, style: style))
        }
        guard !charts.isEmpty else { return [] }
        let hasRoom = style.chartWidth(beside: table.width + 2) != nil
        return ["\(week.days.first) to \(week.days.last), mean per day"]
            + (week.averagesLackToday ? ["sums without today"] : [])
            + table.lines(indentation: 2, charts: hasRoom ? charts : [])
    }

    private struct Row {
        let name: String
        let isFromZero: Bool
        let isSum: Bool
        let figure: @Sendable (ActivitySnapshot) -> Double?
        let text: @Sendable (Double) -> String
    }

    private static let rows: [Row] = [
        Row(name: "steps", isFromZero: true, isSum: true, figure: \.steps) { Figures.rounded($0, places: 0) },
        Row(name: "walking distance", isFromZero: true, isSum: true, figure: \.walkingDistanceKilometres) {
            Figures.rounded($0, places: 2) + " km"
        },
        Row(name: "active energy", isFromZero: true, isSum: true, figure: \.activeEnergyKilocalories) {
            Figures.rounded($0, places: 0) + " kcal"
        },
        Row(name: "exercise", isFromZero: true, isSum: true, figure: \.exerciseMinutes) {
            DurationText.minutes($0)
        },
        Row(name: "resting heart rate", isFromZero: false, isSum: false, figure: \.restingHeartRate) {
            Figures.rounded($0, places: 0) + "/min"
        },
        Row(name: "asleep", isFromZero: true, isSum: false, figure: \.minutesAsleep) { DurationText.minutes($0) },
    ]
}

/// One character per value, from low to high; a dot for a missing value.
package enum Sparkline {
    /// Returns the line of `values` on a scale that begins at `floor`, or at the smallest value.
    package static func line(_ values: [Double?], from floor: Double? = nil, style: OutputStyle) -> String {
        let known = values.compactMap { $0 }
        guard let low = floor ?? known.min(), let high = known.max() else { return "" }
        let steps = style.hasBlocks ? Self.blocks : Self.digits
        let columns = values.map { value -> Character in
            guard let value else { return style.hasBlocks ? "·" : "." }
            guard high > low else { return steps[steps.count / 2] }
            let share = (value - low) / (high - low)
            return steps[min(steps.count - 1, max(0, Int(share * Double(steps.count))))]
        }
        return style.colored(String(columns), .bar)
    }

    private static let blocks = Array("▁▂▃▄▅▆▇█")
    private static let digits = Array("_.-=+*#@")
}

/// The figures of one metric on one day.
struct ProgressView: JSONEncodable {
    let progress: DailyProgress
    let definition: MetricDefinition

    /// Shows `progress` by its definition in `catalog`, or by one inferred from it.
    init(progress: DailyProgress, catalog: MetricCatalog = MetricCatalog()) {
        self.progress = progress
        definition = catalog.definition(of: progress)
    }

    /// The title of the metric in a table: `heart rate`.
    var name: String { definition.label }

    /// `9,432`, `7.2 km`, `14.6/min (14 to 31/min)`; for heart rate the range: `44 to 141/min`.
    var text: String {
        let text = FigureText(definition: definition)
        let figures = progress.figures
        // The mean heart rate of a day is of little use, so its range is shown next to the resting heart rate.
        if progress.metric == .heartRate, let range = text.range(figures) { return range }
        let quantity = text.quantity(figures.quantity)
        guard let minimum = figures.minimum, let maximum = figures.maximum else { return quantity }
        return "\(quantity) (\(text.number(minimum)) to \(text.quantity(maximum)))"
    }

    var json: JSONValue {
        let figures = progress.figures
        return [
            "metric": progress.metric.rawValue, "day": progress.day,
            "unit": progress.unit, "quantity": figures.quantity,
            "minimum": figures.minimum, "maximum": figures.maximum,
            "count": figures.count,
            "heldMinutes": figures.heldMilliseconds.map { Double($0) / 60_000 },
            "origins": progress.origins.map { ["source": $0.sourceName, "quantity": $0.quantity] as JSONValue },
        ]
    }
}

/// A summary of one day. Values that were not measured are absent, never 0.
struct SnapshotView: JSONEncodable {
    let snapshot: ActivitySnapshot

    /// A row for each value that exists.
    var rows: [(name: String, text: String)] {
        let rows: [(String, Double?, (Double) -> String)] = [
            ("steps", snapshot.steps, { Figures.rounded($0, places: 0) }),
            ("walking distance", snapshot.walkingDistanceKilometres, { Figures.rounded($0, places: 2) + " km" }),
            ("active energy", snapshot.activeEnergyKilocalories, { Figures.rounded($0, places: 0) + " kcal" }),
            ("exercise", snapshot.exerciseMinutes, { DurationText.minutes($0) }),
            ("resting heart rate", snapshot.restingHeartRate, { Figures.rounded($0, places: 0) + "/min" }),
            ("asleep", snapshot.minutesAsleep, { DurationText.minutes($0) }),
        ]
        return rows.compactMap { name, value, text in value.map { (name, text($0)) } }
    }

    var json: JSONValue {
        [
            "day": snapshot.day, "steps": snapshot.steps,
            "walkingDistanceKilometres": snapshot.walkingDistanceKilometres,
            "activeEnergyKilocalories": snapshot.activeEnergyKilocalories,
            "exerciseMinutes": snapshot.exerciseMinutes,
            "restingHeartRate": snapshot.restingHeartRate,
            "minutesAsleep": snapshot.minutesAsleep,
        ]
    }
}

/// Thirty days of a metric, compared with earlier ones.
private struct TrendView: JSONEncodable {
    let metric: HealthMetric
    let trend: MetricTrend

    var json: JSONValue {
        [
            "metric": metric.rawValue,
            "first": trend.days.first,
            "last": trend.days.last,
            "average": trend.average,
            "averageBefore": trend.averageBefore,
            "averageYearAgo": trend.averageYearAgo,
        ]
    }
}
