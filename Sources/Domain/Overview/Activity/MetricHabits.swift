/// When the figures of a metric that adds up are largest: on which weekday and in which hour.
package struct MetricHabits: Hashable, Sendable {
    /// A weekday and the mean of its days.
    package struct Weekday: Hashable, Sendable {
        /// 1 for Monday to 7 for Sunday.
        package let isoWeekday: Int
        /// The mean of the days with figures.
        package let average: Double

        /// `Saturday`.
        package var name: String {
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][isoWeekday - 1]
        }
    }

    /// An hour of the wall clock and its mean.
    package struct Hour: Hashable, Sendable {
        /// 0 to 23.
        package let hour: Int
        /// The sum of this hour over all days, divided by the number of days with figures.
        package let average: Double
    }

    /// The weekday with the largest mean, the first of equal ones; `nil` if the days contain fewer than two weekdays.
    package let weekday: Weekday?
    /// The hour with the largest mean, the first of equal ones; `nil` without hours.
    package let hour: Hour?

    /// Creates the habits of `days`, whose hours begin by the wall clock of `clock`.
    package init(of days: [DailyProgress], clock: DayClock) {
        let weekdays = Dictionary(grouping: days) { $0.day.isoWeekday }
        weekday =
            weekdays.count < 2
            ? nil
            : weekdays.sorted { $0.key < $1.key }.map { isoWeekday, days in
                let sum = days.reduce(0) { $0 + $1.figures.quantity }
                return Weekday(isoWeekday: isoWeekday, average: (sum / Double(days.count)).asFigure)
            }.reduce(nil) { best, weekday in
                best.map { $0.average >= weekday.average ? $0 : weekday } ?? weekday
            }
        var sums = [Double](repeating: 0, count: 24)
        for hour in days.lazy.flatMap(\.hours) {
            let local = hour.start.milliseconds + clock.offsetSeconds(at: hour.start) * 1_000
            sums[Int(((local % 86_400_000) + 86_400_000) % 86_400_000 / 3_600_000)] += hour.figures.quantity
        }
        let best = sums.indices.reduce(0) { sums[$1] > sums[$0] ? $1 : $0 }
        hour = sums[best] > 0 ? Hour(hour: best, average: (sums[best] / Double(days.count)).asFigure) : nil
    }
}
