/// Hours for which the user assigned or cleared shoes. On their day no shoe starts automatically any more, and no
/// earlier session is automatically extended into them.
package struct SettledHours: Sendable, Hashable {
    package let day: CalendarDay
    /// The first instant of the hours.
    package let start: Instant

    package init(day: CalendarDay, start: Instant) {
        self.day = day
        self.start = start
    }
}
