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
