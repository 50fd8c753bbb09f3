/// Heart rate of one day, per minute.
package struct HeartDay: Hashable, Sendable {
    package let day: CalendarDay
    /// Lowest, mean and highest; `nil` where only the resting heart rate is known.
    package internal(set) var figures: ProgressFigures?
    /// Resting heart rate, from the device's own resting measurements.
    package internal(set) var resting: Double?
    /// Figures of the hours in which something was measured.
    package internal(set) var hours: [HourProgress] = []

    init(day: CalendarDay) { self.day = day }

    static func averageResting(of days: some Sequence<HeartDay>) -> Double? {
        let resting = days.compactMap(\.resting)
        return resting.isEmpty ? nil : (resting.reduce(0, +) / Double(resting.count)).asFigure
    }
}
