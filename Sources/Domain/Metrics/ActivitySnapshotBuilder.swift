extension ActivitySnapshot {
    /// Creates the snapshot of `day` from its metrics.
    ///
    /// - Parameters:
    ///   - day: the calendar day.
    ///   - progress: figures of any metrics and days.
    ///   - sleep: sleep sessions of any days. Minutes asleep are those of the main sleep of `day`; absent if it states only
    ///     the time in bed.
    public init(day: CalendarDay, progress: [DailyProgress], sleep: [SleepSession]) {
        self.init(day: day)
        for item in progress where item.day == day {
            let quantity = item.figures.quantity
            switch item.metric {
            case .steps: steps = quantity
            case .walkingDistance: walkingDistanceKilometres = quantity
            case .activeEnergy: activeEnergyKilocalories = quantity
            case .exerciseMinutes: exerciseMinutes = quantity
            case .restingHeartRate: restingHeartRate = quantity
            default: break
            }
        }
        let night = NightTimes.nights(of: sleep.filter { $0.day == day }).first
        if let asleep = night?.asleep { minutesAsleep = Double(asleep) / 60_000 }
    }
}
