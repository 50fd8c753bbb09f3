/// One hour of a day as a chart shows it, measured or not.
package struct HourSlot: Hashable, Sendable {
    /// The hour; shorter where the zone's midnight is not on the hour.
    package let interval: InstantRange
    /// Seconds east of UTC on the person's wall clock at its start, which tells the two equal hours of autumn apart.
    package let offsetSeconds: Int64
    /// What was measured in it; `nil` for nothing.
    package private(set) var figures: ProgressFigures?

    /// All hours of `day` by `clock`, with what `measured` says of them: 23 where the clocks went forward, 25 where they
    /// went back.
    ///
    /// A sample may state a zone of its own, by which its hour begins on another minute or lies outside the day of
    /// `clock`: the former counts for the hour that holds it, the latter gets an hour more. So hours sum to their day.
    package static func slots(of day: CalendarDay, measured: [HourProgress], clock: DayClock) -> [HourSlot] {
        var slots = clock.hours(of: day).map { HourSlot($0, clock) }
        for hour in measured {
            if let index = slots.firstIndex(where: { $0.interval.contains(hour.start) }) {
                slots[index].figures = slots[index].figures?.merged(with: hour.figures) ?? hour.figures
            } else {
                var slot = HourSlot(
                    InstantRange(start: hour.start, end: hour.start.advanced(bySeconds: 3_600)), clock)
                slot.figures = hour.figures
                slots.append(slot)
            }
        }
        return slots.sorted { $0.interval.start < $1.interval.start }
    }

    private init(_ interval: InstantRange, _ clock: DayClock) {
        self.interval = interval
        offsetSeconds = clock.offsetSeconds(at: interval.start)
    }
}
