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
                + Self.table(unit.rawValue, rows, showsResting: true, style) + [""] + totals
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
        var totals = TextTable([.left, .left])
        if let figures = day.figures { totals.add("day", Self.range(figures)) }
        if let resting = day.resting { totals.add("resting", "\(Self.text(resting))/min") }
        return [day.day.nameAndDate] + Self.table("hour", rows, showsResting: false, style) + totals.lines()
    }

    private var totals: [String] {
        var table = TextTable([.left, .left])
        if let figures = overview.figures { table.add("all", Self.range(figures)) }
        if let resting = overview.averageResting { table.add("resting", "\(Self.text(resting))/min") }
        return table.lines()
    }

    private static func table(
        _ head: String, _ rows: [Row], showsResting: Bool, _ style: OutputStyle
    ) -> [String] {
        var table = TextTable(
            heads: [(head, .left), ("min", .right), ("mean", .right), ("max", .right)]
                + (showsResting ? [("resting", .right)] : []))
        for row in rows {
            let figures = [row.figures?.minimum, row.figures?.quantity, row.figures?.maximum]
            table.add([row.label] + (figures + (showsResting ? [row.resting] : [])).map(text))
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

    private static func range(_ figures: ProgressFigures) -> String {
        "\(text(figures.quantity))/min (\(text(figures.minimum)) to \(text(figures.maximum)))"
    }

    private static func text(_ rate: Double?) -> String { rate.map { Figures.rounded($0, places: 0) } ?? "-" }
}
