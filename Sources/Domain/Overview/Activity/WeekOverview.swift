/// Seven days at a glance.
package struct WeekOverview: Hashable, Sendable {
    package let days: DayRange
    /// One snapshot for each day, ascending; empty for days without measurements.
    package let snapshots: [ActivitySnapshot]
    /// The current day, if it is one of the seven: its sums are incomplete.
    package let incompleteDay: CalendarDay?

    /// Creates the overview of the seven days that end with `last`. Ignores snapshots of other days.
    package init(through last: CalendarDay, snapshots: [ActivitySnapshot], today: CalendarDay) {
        days = Self.days(through: last)
        incompleteDay = days.contains(today) ? today : nil
        let known = Dictionary(snapshots.map { ($0.day, $0) }) { first, _ in first }
        self.snapshots = days.map { known[$0] ?? ActivitySnapshot(day: $0) }
    }

    /// Returns the seven days that end with `last`.
    package static func days(through last: CalendarDay) -> DayRange { DayRange(last).widened(before: 6, after: 0) }

    /// Whether the means of sums leave out the incomplete day, because other days have sums.
    package var averagesLackToday: Bool {
        incompleteDay != nil && snapshots.contains { $0.day != incompleteDay && $0.hasSums }
    }

    /// Returns the mean of a figure over the days that have it, for a sum without the incomplete day if another day has
    /// any sum; `nil` if none has.
    package func average(ofSum isSum: Bool, _ figure: (ActivitySnapshot) -> Double?) -> Double? {
        let counted = isSum && averagesLackToday ? snapshots.filter { $0.day != incompleteDay } : snapshots
        let values = counted.compactMap(figure)
        return values.isEmpty ? nil : (values.reduce(0, +) / Double(values.count)).asFigure
    }
}

extension ActivitySnapshot {
    fileprivate var hasSums: Bool {
        [steps, walkingDistanceKilometres, activeEnergyKilocalories, exerciseMinutes].contains { $0 != nil }
    }
}
