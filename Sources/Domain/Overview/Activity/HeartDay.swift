/// Heart rate of one day, per minute.
package struct HeartDay: Hashable, Sendable {
    package let day: CalendarDay
    /// The lowest, mean and highest rate; `nil` if only the resting heart rate is known.
    package internal(set) var figures: ProgressFigures?
    /// The resting heart rate that the device reports.
    package internal(set) var resting: Double?
    /// The figures of hours with measurements.
    package internal(set) var hours: [HourProgress] = []

    init(day: CalendarDay) { self.day = day }

    static func averageResting(of days: some Sequence<HeartDay>) -> Double? {
        let resting = days.compactMap(\.resting)
        return resting.isEmpty ? nil : (resting.reduce(0, +) / Double(resting.count)).asFigure
    }
}
