import HealthSyncDomain
import HealthSyncPorts

/// Derives sleep sessions by the rules of the domain.
struct NightHandler: HealthMetricSyncHandler {
    var metric: HealthMetric { .sleep }
    var reads: [SampleTypeDefinition] { [.sleepAnalysis] }
    var version: Int { 1 }
    var reach: SampleReach { .nights(gapMinutes: SleepSessionBuilder.standardNightGapMinutes) }

    func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        SleepSessionBuilder(days: days, rules: rules).sessions(of: window[SampleTypeDefinition.sleepAnalysis.type])
    }
}
