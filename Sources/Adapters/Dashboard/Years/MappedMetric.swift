import HealthSyncDomain

/// A metric that the page of years shows.
enum MappedMetric: String, CaseIterable {
    case steps
    case sleep
    case resting

    var metric: HealthMetric {
        switch self {
        case .steps: .steps
        case .sleep: .sleep
        case .resting: .restingHeartRate
        }
    }

    var title: String {
        switch self {
        case .steps: "Steps"
        case .sleep: "Sleep"
        case .resting: "Resting heart rate"
        }
    }

    /// Whether the quantity of a day grows until the day ends. The sleep of a day ends in the morning.
    var isSum: Bool { self == .steps }

    /// The smallest difference between bounds of levels: steps, minutes, or beats per minute.
    var resolution: Double { 1 }

    /// What follows the average of a year.
    var suffix: String {
        switch self {
        case .steps: " a day"
        case .sleep: " a night"
        case .resting: " /min"
        }
    }

    /// Returns the address of the page with the figures of `year`.
    func address(of year: Int) -> String {
        let last = "\(CalendarDay.padded(year, 4))-12-31"
        switch self {
        case .steps: return Choice.address(StepsPage.address, [("by", "month"), ("day", last)])
        case .sleep: return Choice.address(SleepPage.address, [("last", "3mo"), ("day", last)])
        case .resting: return Choice.address(HeartRatePage.address, [("by", "month"), ("day", last)])
        }
    }

    /// Returns a quantity as text; means of heart rates have a decimal.
    func text(_ quantity: Double, _ numbers: NumberForm, isMean: Bool = false) -> String {
        switch self {
        case .steps: numbers.whole(quantity)
        case .sleep: DurationText.minutes(quantity)
        case .resting: numbers.rounded(quantity, places: isMean ? 1 : 0)
        }
    }

    /// Returns a quantity as a figure.
    func figure(_ quantity: Double, _ numbers: NumberForm, isMean: Bool = false) -> Markup {
        Figure.number(quantity, text(quantity, numbers, isMean: isMean))
    }
}
