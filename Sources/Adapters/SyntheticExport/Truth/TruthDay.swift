import HealthSyncDomain

/// The true values of one local day, as printed. Values that nothing measured are absent.
struct TruthDay: Sendable, Encodable {
    let day: CalendarDay
    /// The IANA name of the user's time zone.
    let zone: String
    /// The steps walked, including those that no device counted.
    let steps: Double
    /// The kilometers walked.
    let walkingDistance: Double
    /// The kilocalories that the watch measured.
    let activeEnergy: Double?
    let exerciseMinutes: Double?
    let restingHeartRate: Int64?
    let heartRate: TruthHeartRate?
    let sleep: TruthSleep

    init(_ plan: DayPlan, figures: TruthFigures, clock: DayClock) {
        day = plan.day
        zone = plan.zoneName
        steps = Self.rounded(figures.steps)
        walkingDistance = Self.rounded(figures.kilometres)
        activeEnergy = figures.activeEnergy.map(Self.rounded)
        exerciseMinutes = figures.exerciseMinutes.map(Self.rounded)
        restingHeartRate = figures.restingHeartRate
        heartRate = figures.heartRate
        sleep = TruthSleep(plan, clock: clock)
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000_000).rounded() / 1_000_000 }
}
