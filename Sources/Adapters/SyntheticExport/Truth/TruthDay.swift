import HealthSyncDomain

/// The true figures of one local day, as they are printed. What nothing measured is absent.
struct TruthDay: Sendable, Encodable {
    let day: CalendarDay
    /// IANA name of the zone the person lived by.
    let zone: String
    /// Steps really walked, also those that no device counted.
    let steps: Double
    /// Kilometres really walked.
    let walkingDistance: Double
    /// Kilocalories that the watch measured.
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
