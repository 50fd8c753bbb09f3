import HealthSyncDomain

/// The average night of weeks, months or years, with a comparison of the last two.
struct SleepPeriodTable {
    let periods: [SleepAverages.Period]

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

    /// Compares the last period with the one before; empty unless both have sleep.
    private var comparison: [String] {
        guard let last = periods.last, let before = periods.dropLast().last, let now = last.averages,
            let then = before.averages
        else { return [] }
        let difference = now.asleep - then.asleep
        let size = DurationText.minutes(milliseconds: difference.magnitude)
        let words = size == "0 min" ? "as much as" : "\(size) \(difference < 0 ? "less" : "more") than"
        return [
            "\(last.period): \(DurationText.minutes(milliseconds: now.asleep)) a night, \(words) in \(before.period)"
        ]
    }
}
