import HealthSyncDomain

/// The means of the last thirty days, of the thirty days before and of those a year ago.
struct TrendTable {
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
