import HealthSyncDomain

/// Steps over a stretch of days.
struct StepsView {
    let overview: StepsOverview
    let grain: ShownDays.Grain
    let clock: DayClock
    /// The latest day with steps, to say where some are.
    let latest: CalendarDay?

    /// Lines for a person; with what each source alone would have said below each period.
    func lines(_ style: OutputStyle, showsOrigins: Bool) -> [String] {
        guard !overview.recorded.isEmpty else {
            return [DayText.nothing("steps", on: overview.days, latest: latest)]
        }
        switch grain {
        case .hour:
            let days = overview.recorded.map { hours(of: $0, style, showsOrigins: showsOrigins) }
            return Array(days.joined(separator: [""]))
        case .period(let unit):
            return [DayText.range(overview.days)]
                + periods(unit, style, showsOrigins: showsOrigins) + [""] + totals
        }
    }

    private func periods(_ unit: CalendarPeriod.Unit, _ style: OutputStyle, showsOrigins: Bool) -> [String] {
        var table = ChartTable(
            heads: [(unit.rawValue, .left), ("steps", .right)]
                + (unit == .day ? [] : [("a day", .right), ("days", .right)]), nameColumn: 0, leastName: 14)
        for period in overview.periods(unit) {
            let average = unit == .day ? [] : [Self.text(period.averagePerDay), "\(period.recordedDays)"]
            table.add([DayText.label(period.period), Self.text(period.total)] + average, value: period.total)
            guard showsOrigins else { continue }
            for origin in period.origins { table.add(Self.row(origin, style), value: origin.quantity) }
        }
        return table.lines(style)
    }

    private func hours(of day: DailyProgress, _ style: OutputStyle, showsOrigins: Bool) -> [String] {
        let slots = HourSlot.slots(of: day.day, measured: day.hours, clock: clock)
        var table = ChartTable(heads: [("hour", .left), ("steps", .right)], nameColumn: 0, leastName: 14)
        for (slot, label) in zip(slots, ClockTimes.of(slots)) {
            table.add([label, Self.text(slot.figures?.quantity)], value: slot.figures?.quantity)
        }
        var totals = TextTable([.left, .right])
        totals.add("total", Self.text(day.figures.quantity))
        if showsOrigins { for origin in day.origins { totals.add(Self.row(origin, style)) } }
        return [day.day.nameAndDate] + table.lines(style) + totals.lines()
    }

    private var totals: [String] {
        var table = TextTable([.left, .left])
        table.add("total", "\(Self.text(overview.total)) on \(Figures.count(overview.recorded.count, "day"))")
        table.add("a day", Self.text(overview.averagePerDay))
        if let best = overview.best { table.add("most", "\(Self.text(best.figures.quantity)) on \(best.day)") }
        return table.lines()
    }

    private static func row(_ origin: OriginProgress, _ style: OutputStyle) -> [String] {
        let name = UntrustedText.escaped(origin.sourceName.isEmpty ? "unnamed" : origin.sourceName)
        let columns = style.width.map { max(8, min(24, $0 - 20)) } ?? 40
        return ["  " + DisplayText.fitted(name, columns: columns), text(origin.quantity)]
    }

    private static func text(_ steps: Double?) -> String { steps.map { Figures.rounded($0, places: 0) } ?? "-" }
}
