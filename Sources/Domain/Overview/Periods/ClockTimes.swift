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
