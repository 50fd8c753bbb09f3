/// One hour of a day in a chart or table, with or without figures.
package struct HourSlot: Hashable, Sendable {
    /// The hour; shorter where the zone's midnight is not on the hour.
    package let interval: InstantRange
    /// Seconds east of UTC on the user's wall clock at its start, which distinguishes the two equal hours in autumn.
    package let offsetSeconds: Int64
    /// The figures of the hour; `nil` if nothing was measured.
    package private(set) var figures: ProgressFigures?

    /// Returns all hours of `day` in the zone of `clock`, with the figures in `measured`: 23 hours if the clocks go
    /// forward, 25 if they go back.
    ///
    /// A sample may state its own zone, in which its hour begins at another minute or is outside the day of `clock`. In
    /// the first case it is combined, according to `kind`, into the hour that contains its start. In the second case an
    /// hour is added. So the hours sum to their day.
    package static func slots(
        of day: CalendarDay, measured: [HourProgress], clock: DayClock, kind: MetricDefinition.Kind
    ) -> [HourSlot] {
        var slots = clock.hours(of: day).map { HourSlot($0, clock) }
        for hour in measured {
            if let index = slots.firstIndex(where: { $0.interval.contains(hour.start) }) {
                slots[index].figures = slots[index].figures.map { kind.combined([$0, hour.figures]) } ?? hour.figures
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

/// The wall clock times at which the hours of a day begin.
package enum ClockTimes {
    /// Returns `02:00` for each hour, with the offset if the clock shows that time twice: `02:00 +01:00`. Offsets are
    /// seconds east of UTC. `write` may format `02:00` differently.
    package static func of(
        _ hours: [(start: Instant, offsetSeconds: Int64)], write: (Substring) -> String = { String($0) }
    ) -> [String] {
        let times = hours.map { RFC3339.string($0.start, offsetSeconds: $0.offsetSeconds).dropFirst(11) }
        return times.map { time in
            let shown = time.prefix(5)
            return write(shown) + (times.count { $0.prefix(5) == shown } > 1 ? " \(time.suffix(6))" : "")
        }
    }

    /// Returns the times at which `slots` begin.
    package static func of(_ slots: [HourSlot]) -> [String] {
        of(slots.map { ($0.interval.start, $0.offsetSeconds) })
    }
}
