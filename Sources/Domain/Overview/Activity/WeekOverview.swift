/// Seven days at a glance.
package struct WeekOverview: Hashable, Sendable {
    package let days: DayRange
    /// One for each of the days, ascending; empty where nothing was measured.
    package let snapshots: [ActivitySnapshot]

    /// The seven days up to and with `last`, from `snapshots`, of which other days are left out.
    package init(through last: CalendarDay, snapshots: [ActivitySnapshot]) {
        days = Self.days(through: last)
        let known = Dictionary(snapshots.map { ($0.day, $0) }) { first, _ in first }
        self.snapshots = days.map { known[$0] ?? ActivitySnapshot(day: $0) }
    }

    /// The seven days up to and with `last`.
    package static func days(through last: CalendarDay) -> DayRange { DayRange(last).widened(before: 6, after: 0) }

    /// Mean of a figure over the days that have it; `nil` when none has.
    package func average(_ figure: (ActivitySnapshot) -> Double?) -> Double? {
        let values = snapshots.compactMap(figure)
        return values.isEmpty ? nil : (values.reduce(0, +) / Double(values.count)).asFigure
    }
}
