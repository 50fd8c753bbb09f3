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
    package static let leastNights = 4

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
