/// Hours of which a person said how shoes were worn. On their day no shoe starts by itself any more, and none that began
/// before them lasts into them by itself.
package struct SettledStretch: Sendable, Hashable {
    package let day: CalendarDay
    /// The first instant of the hours.
    package let start: Instant

    package init(day: CalendarDay, start: Instant) {
        self.day = day
        self.start = start
    }
}
