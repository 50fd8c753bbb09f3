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
