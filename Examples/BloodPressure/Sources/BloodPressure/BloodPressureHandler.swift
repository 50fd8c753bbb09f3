import HealthSyncDomain
import HealthSyncPorts

/// Derives blood pressure by hour and day: minimum, mean, maximum and count of both pressures.
///
/// HealthKit stores a reading as two samples of two types. Only complete readings count: a systolic and a diastolic
/// sample of one origin with one start, the systolic value above the diastolic one.
public struct BloodPressureHandler: HealthMetricSyncHandler {
    /// Creates the handler.
    public init() {}

    /// `bloodPressure`, the name of both pressures together.
    public var metric: HealthMetric { .bloodPressure }

    /// Both pressures.
    public var reads: [SampleTypeDefinition] { [.bloodPressureSystolic, .bloodPressureDiastolic] }

    /// The means of both pressures.
    public var results: [MetricDefinition] {
        [
            MetricDefinition(.bloodPressureSystolic, title: "Systolic blood pressure", unit: "mmHg", kind: .mean),
            MetricDefinition(.bloodPressureDiastolic, title: "Diastolic blood pressure", unit: "mmHg", kind: .mean),
        ]
    }

    /// The first version of the rule.
    public var version: Int { 1 }

    /// Returns the figures of complete readings.
    public func derive(_ days: DayRange, from window: SampleWindow, by rules: DerivationRules) -> DerivedDays {
        let readings = PairedReadings(
            systolic: window[SampleTypeDefinition.bloodPressureSystolic.type],
            diastolic: window[SampleTypeDefinition.bloodPressureDiastolic.type]
        ) { start, zone in days.contains(rules.clock(forZone: zone).day(of: start)) }
        let systolic = DiscreteSummary(metric: .bloodPressureSystolic, unit: "mmHg", days: days, rules: rules)
        let diastolic = DiscreteSummary(metric: .bloodPressureDiastolic, unit: "mmHg", days: days, rules: rules)
        return DerivedDays(
            progress: systolic.days(of: readings.systolic).progress + diastolic.days(of: readings.diastolic).progress,
            skipped: readings.skipped)
    }
}
