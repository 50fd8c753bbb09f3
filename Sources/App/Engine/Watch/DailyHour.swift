package import HealthSyncDomain

/// The time of day of the daily run, by the user's wall clock.
package struct DailyHour: Sendable, Hashable {
    /// From 0 to 1439.
    private let minuteOfDay: Int

    /// 04:30, when the phone has usually delivered the night and nobody waits for the machine.
    package static let standard = DailyHour(minuteOfDay: 270)

    private init(minuteOfDay: Int) { self.minuteOfDay = minuteOfDay }

    /// The time written as `HH:MM`; `nil` if it is not one.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isDigit) }),
            parts[1].utf8.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        minuteOfDay = hour * 60 + minute
    }

    /// Returns the first instant after `now` at which the wall clock of `clock` shows this time. On a day that skips
    /// the time, it is the instant as many minutes after the start of the day.
    package func next(after now: Instant, by clock: DayClock) -> Instant {
        var day = clock.day(of: now)
        while true {
            let instant = instant(on: day, by: clock)
            if instant > now { return instant }
            day = day.advanced(by: 1)
        }
    }

    private func instant(on day: CalendarDay, by clock: DayClock) -> Instant {
        let start = clock.start(of: day)
        let plain = start.advanced(bySeconds: Int64(minuteOfDay) * 60)
        // The offset may change between midnight and this time.
        let shifted = plain.advanced(bySeconds: clock.offsetSeconds(at: start) - clock.offsetSeconds(at: plain))
        return clock.offsetSeconds(at: shifted) == clock.offsetSeconds(at: plain) ? shifted : plain
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
