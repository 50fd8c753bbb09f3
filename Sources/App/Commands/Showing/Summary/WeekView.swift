import HealthSyncDomain

/// The means of seven days, on a terminal with a sparkline each.
struct WeekView {
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
