import HealthSyncDomain

/// A year of days: a column for each week, a square for each day from Monday down. One path for each level keeps ten
/// years small.
struct YearMapChart {
    let map: YearMap
    let year: YearMap.Year
    /// The days that may have a quantity; those without one are dots.
    let recorded: DayRange
    /// The content in words.
    let description: String

    /// The number of levels for which there are colors.
    static let levels = 5

    var markup: Markup {
        var paths = [String](repeating: "", count: Self.levels)
        var missing = ""
        let levels = Dictionary(year.quantities.map { ($0.day, map.level(of: $0.quantity)) }) { first, _ in first }
        guard let first = CalendarDay(year: year.year, month: 1, day: 1) else { return .nothing }
        let period = CalendarPeriod(.year, holding: first)
        for (index, day) in period.days.enumerated() {
            let slot = index + first.isoWeekday - 1
            let place = "M\(slot / 7) \(slot % 7)"
            if let level = levels[day] {
                paths[Self.color(of: level, among: map.bounds.count + 1)] += place + "h.9"
            } else if recorded.contains(day) {
                missing += place + "m.35 0h.2"
            }
        }
        return .tag(
            "svg",
            [
                .class("map"), .init("viewBox", "0 -.5 54 7"), .init("role", "img"),
                .init("aria-label", description),
            ],
            paths.enumerated().filter { !$0.element.isEmpty }.map { level, path in
                Markup.tag("path", [.class("level-\(level)"), .init("d", path)])
            } + (missing.isEmpty ? [] : [.tag("path", [.class("missing"), .init("d", missing)])]))
    }

    /// Returns the color of a level: few levels use colors that are far apart.
    static func color(of level: Int, among count: Int) -> Int {
        count < 2 ? levels / 2 : level * (levels - 1) / (count - 1)
    }
}
