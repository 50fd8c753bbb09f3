/// What a wall clock shows when the hours of a day begin.
package enum ClockTimes {
    /// `02:00` for each; for those that the clocks show twice with their offset: `02:00 +01:00`. Offsets are seconds east of
    /// UTC. `write` may write `02:00` in another form.
    package static func of(
        _ hours: [(start: Instant, offsetSeconds: Int64)], write: (Substring) -> String = { String($0) }
    ) -> [String] {
        let times = hours.map { RFC3339.string($0.start, offsetSeconds: $0.offsetSeconds).dropFirst(11) }
        return times.map { time in
            let shown = time.prefix(5)
            return write(shown) + (times.count { $0.prefix(5) == shown } > 1 ? " \(time.suffix(6))" : "")
        }
    }

    /// The same for slots.
    package static func of(_ slots: [HourSlot]) -> [String] {
        of(slots.map { ($0.interval.start, $0.offsetSeconds) })
    }
}
