extension ActivitySnapshot {
    /// Creates the snapshot of `day` from its metrics.
    ///
    /// - Parameters:
    ///   - day: the calendar day.
    ///   - progress: figures of any metrics and days.
    ///   - sleep: sleep sessions of any days. Minutes asleep are those of the preferred main sleep of `day`; absent if it
    ///     states only the time in bed.
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
        let night = sleep.first { $0.day == day && $0.role == .main && $0.isPreferred }
        if let slept = night?.durations, slept.isSleepKnown { minutesAsleep = Double(slept.asleep) / 60_000 }
    }
}
