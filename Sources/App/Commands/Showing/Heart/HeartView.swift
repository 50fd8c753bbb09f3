import HealthSyncDomain

/// Heart rate over a stretch of days, per minute.
struct HeartView {
    let overview: HeartOverview
    let grain: ShownDays.Grain
    let clock: DayClock
    /// The latest day with heart rate, to say where some is.
    let latest: CalendarDay?

    /// Lines for a person.
    func lines(_ style: OutputStyle) -> [String] {
        guard !overview.recorded.isEmpty else {
            return [DayText.nothing("heart rate", on: overview.days, latest: latest)]
        }
        switch grain {
        case .hour:
            return Array(overview.recorded.map { hours(of: $0, style) }.joined(separator: [""]))
        case .period(let unit):
            let rows = overview.periods(unit).map { period in
                Row(label: DayText.label(period.period), figures: period.figures, resting: period.averageResting)
            }
            return [DayText.range(overview.days)]
                + Self.table(unit.rawValue, rows, showsResting: true, style) + [""]
                + Self.headline(overview.figures, resting: overview.averageResting)
        }
    }

    private struct Row {
        let label: String
        let figures: ProgressFigures?
        var resting: Double?
    }

    private func hours(of day: HeartDay, _ style: OutputStyle) -> [String] {
        let slots = HourSlot.slots(of: day.day, measured: day.hours, clock: clock)
        let rows = zip(slots, ClockTimes.of(slots)).map { Row(label: $1, figures: $0.figures) }
        return [day.day.nameAndDate] + Self.headline(day.figures, resting: day.resting) + [""]
            + Self.table("hour", rows, showsResting: false, style)
    }

    /// Resting heart rate and range first: the mean depends on how long the watch was worn.
    private static func headline(_ figures: ProgressFigures?, resting: Double?) -> [String] {
        var table = TextTable([.left, .left])
        if let resting { table.add("resting", "\(text(resting))/min") }
        if let figures {
            table.add("range", "\(text(figures.minimum)) to \(text(figures.maximum))/min")
            table.add("mean", "\(text(figures.quantity))/min")
        }
        return table.lines()
    }

    private static func table(
        _ head: String, _ rows: [Row], showsResting: Bool, _ style: OutputStyle
    ) -> [String] {
        var table = TextTable(
            heads: [(head, .left)] + (showsResting ? [("resting", .right)] : [])
                + [("min", .right), ("max", .right), ("mean", .right)])
        for row in rows {
            let figures = [row.figures?.minimum, row.figures?.maximum, row.figures?.quantity]
            table.add([row.label] + ((showsResting ? [row.resting] : []) + figures).map(text))
        }
        guard let room = style.chartRoom(beside: table.width),
            let low = rows.compactMap(\.figures?.minimum).min(), let high = rows.compactMap(\.figures?.maximum).max()
        else { return table.lines() }
        let chart = RangeBar(from: low, to: high, room: room, style: style)
        return table.lines(
            charts: [""]
                + rows.map { row in
                    guard let figures = row.figures, let minimum = figures.minimum, let maximum = figures.maximum else {
                        return ""
                    }
                    return chart.bar(minimum: minimum, mean: figures.quantity, maximum: maximum)
                })
    }

    private static func text(_ rate: Double?) -> String { rate.map { Figures.rounded($0, places: 0) } ?? "-" }
}
