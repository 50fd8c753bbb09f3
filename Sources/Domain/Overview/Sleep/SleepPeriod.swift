/// The main sleep of the nights of one month or year.
package struct SleepPeriod: Hashable, Sendable {
    package let period: CalendarPeriod
    /// The nights, ascending by day.
    package let nights: [NightHours]
    /// The number of nights whose sleep is known.
    package let sleptNights: Int
    /// The mean time asleep of these nights, in milliseconds; `nil` without any.
    package let averageAsleep: Double?
    /// The middle of sleep and its spread.
    package let regularity: SleepRegularity

    /// Returns the periods that contain any of `days`, ascending. `nights` are ascending by day.
    package static func periods(
        _ unit: CalendarPeriod.Unit, of days: DayRange, nights: [NightHours]
    ) -> [SleepPeriod] {
        CalendarPeriod.periods(unit, of: days, dividing: nights, by: \.day).map { SleepPeriod($0, nights: $1) }
    }

    private init(_ period: CalendarPeriod, nights: [NightHours]) {
        self.period = period
        self.nights = nights
        let slept = nights.compactMap(\.asleep)
        sleptNights = slept.count
        averageAsleep =
            slept.isEmpty ? nil : (slept.reduce(0) { $0 + Double($1) } / Double(slept.count)).asFigure
        regularity = SleepRegularity(nights)
    }
}

/// The hours of a night on the user's wall clock.
package struct NightHours: Hashable, Sendable {
    /// The day for which the night counts.
    package let day: CalendarDay
    /// Minutes on the wall clock after noon of the day before `day`.
    package let start: Double
    /// Minutes on the wall clock after noon of the day before `day`; not before `start`, except that a clock that is set
    /// back may show an earlier time.
    package let end: Double
    /// The milliseconds asleep; `nil` if only the time in bed is known.
    package let asleep: Int64?

    /// Creates the hours of `night`. Its times are on the clock of the session if that differs from `clock`.
    package init(_ night: NightTimes, clock: DayClock) {
        let isAtHome = clock.offsetSeconds(at: night.interval.start) == night.offsetSeconds
        let noon = night.day.utcStart.milliseconds - CalendarDay.millisecondsPerDay / 2
        func minutes(_ instant: Instant) -> Double {
            let offset = isAtHome ? clock.offsetSeconds(at: instant) : night.offsetSeconds
            return Double(instant.milliseconds + offset * 1000 - noon) / 60_000
        }
        day = night.day
        start = minutes(night.interval.start)
        end = minutes(night.interval.end)
        asleep = night.asleep
    }

    /// The middle between start and end, in minutes after noon of the day before.
    package var middle: Double { (start + end) / 2 }

    /// Whether the night ends on a Saturday or Sunday.
    package var isWeekend: Bool { day.isoWeekday >= 6 }
}

/// How regular sleep is: the middle of sleep on workdays and weekends, and its spread.
///
/// Excludes nights of which only the time in bed is known.
package struct SleepRegularity: Hashable, Sendable {
    /// The number of nights.
    package let nights: Int
    /// The mean middle of the nights to Monday through Friday, in minutes after noon of the day before; `nil` for fewer
    /// than `leastNights`.
    package let workdayMiddle: Double?
    /// The mean middle of the nights to Saturday and Sunday, in minutes after noon of the day before; `nil` for fewer
    /// than `leastNights`.
    package let weekendMiddle: Double?
    /// The standard deviation of the middle of all nights, in minutes; `nil` for fewer than twice `leastNights`.
    package let spread: Double?
    /// The mean time asleep of the nights to Monday through Friday, in milliseconds; `nil` for fewer than `leastNights`.
    package let workdayAsleep: Double?
    /// The mean time asleep of the nights to Saturday and Sunday, in milliseconds; `nil` for fewer than `leastNights`.
    package let weekendAsleep: Double?

    /// The least number of nights in a mean.
    private static let leastNights = 4

    /// Creates the figures of `hours`.
    package init(_ hours: [NightHours]) {
        let slept = hours.filter { $0.asleep != nil }
        func mean(_ values: [Double], atLeast least: Int = Self.leastNights) -> Double? {
            values.count < least ? nil : (values.reduce(0, +) / Double(values.count)).asFigure
        }
        nights = slept.count
        let weekends = slept.filter(\.isWeekend)
        let workdays = slept.filter { !$0.isWeekend }
        workdayMiddle = mean(workdays.map(\.middle))
        weekendMiddle = mean(weekends.map(\.middle))
        workdayAsleep = mean(workdays.compactMap { $0.asleep.map(Double.init) })
        weekendAsleep = mean(weekends.compactMap { $0.asleep.map(Double.init) })
        let all = mean(slept.map(\.middle), atLeast: 2 * Self.leastNights)
        spread = all.flatMap { all in
            mean(slept.map { ($0.middle - all) * ($0.middle - all) })?.squareRoot().asFigure
        }
    }
}
