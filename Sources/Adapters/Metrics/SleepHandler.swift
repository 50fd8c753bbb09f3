import HealthSyncDomain
import HealthSyncPorts

/// Derives sleep sessions with stages, by night and recorder (`SleepSessionBuilder`).
struct SleepHandler: HealthMetricSyncHandler {
    /// A gap of more minutes between samples starts a new session.
    let gapMinutes: Int

    var metric: HealthMetric { .sleep }
    var reads: [SampleTypeDefinition] { [.sleepAnalysis] }
    var reach: SampleReach { .nights(gapMinutes: gapMinutes) }

    /// Contains the gap, because another gap gives other sessions for the same samples.
    ///
    /// 1 assigned the night before a day that the zone skips to that day, 2 had no snapshot of a night without sleep,
    /// 3 joined the sums of two adjacent nights.
    var version: Int { 4_000_000 + gapMinutes }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        SleepSessionBuilder(days: days, gapMinutes: gapMinutes, rules: rules)
            .sessions(of: window[SampleTypeDefinition.sleepAnalysis.type])
    }
}
