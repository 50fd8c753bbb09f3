import HealthSyncDomain

/// The average night of weeks, months or years, with a comparison of the last two with sleep.
struct SleepPeriodTable {
    let periods: [SleepAverages.Period]
    /// The first selected day; a period that begins before it lacks nights.
    let first: CalendarDay

    func lines(_ style: OutputStyle) -> [String] {
        var table = ChartTable(
            heads: [
                (periods.first?.period.unit.rawValue ?? "", .left), ("asleep", .right), ("in bed", .right),
                ("eff", .right), ("nights", .right),
            ], nameColumn: 0, leastName: 4)
        for period in periods {
            let averages = period.averages
            table.add(
                [
                    "\(period.period)", averages.map { DurationText.minutes(milliseconds: $0.asleep) } ?? "-",
                    averages.map { DurationText.minutes(milliseconds: $0.inBed) } ?? "-",
                    averages.map { Figures.rounded($0.efficiencyPercentage, places: 0) + "%" } ?? "-",
                    "\(averages?.nights ?? 0)",
                ], value: averages?.asleep)
        }
        return table.lines(style) + comparison.flatMap { [""] + style.wrapped($0) }
    }

    /// Compares the last period with sleep with the one before; empty if that has none.
    private var comparison: [String] {
        guard let index = periods.lastIndex(where: { $0.averages != nil }), index > 0,
            let now = periods[index].averages, let then = periods[index - 1].averages
        else { return [] }
        let (last, before) = (periods[index], periods[index - 1])
        let length = "\(last.period): \(DurationText.minutes(milliseconds: now.asleep)) a night"
        guard before.period.days.first >= first else {
            return [length + "; \(before.period) is not compared, because the selected days begin on \(first)"]
        }
        let difference = now.asleep - then.asleep
        let size = DurationText.minutes(milliseconds: difference.magnitude)
        let words = size == "0 min" ? "as much as" : "\(size) \(difference < 0 ? "less" : "more") than"
        return ["\(length), \(words) in \(before.period)"]
    }
}
