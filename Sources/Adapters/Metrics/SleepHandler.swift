import HealthSyncDomain
import HealthSyncPorts

/// Derives sleep sessions with stages and what counts of them (`SleepSessionBuilder`).
struct SleepHandler: HealthMetricSyncHandler {
    /// A gap of more minutes between samples starts a new session.
    let gapMinutes: Int
    /// Parts of a night are at most this many minutes apart.
    let nightGapMinutes: Int

    var metric: HealthMetric { .sleep }
    var reads: [SampleTypeDefinition] { [.sleepAnalysis] }
    var reach: SampleReach { .nights(gapMinutes: max(gapMinutes, nightGapMinutes)) }

    /// Contains the gaps, because other gaps give other sessions and nights for the same samples.
    ///
    /// 1 assigned the night before a day that the zone skips to that day, 2 had no snapshot of a night without sleep,
    /// 3 joined the sums of two adjacent nights, 4 had nights from noon to noon and one recorder for each.
    var version: Int { 5_000_000 + 1_000 * nightGapMinutes + gapMinutes }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        SleepSessionBuilder(days: days, gapMinutes: gapMinutes, nightGapMinutes: nightGapMinutes, rules: rules)
            .sessions(of: window[SampleTypeDefinition.sleepAnalysis.type])
    }
}
