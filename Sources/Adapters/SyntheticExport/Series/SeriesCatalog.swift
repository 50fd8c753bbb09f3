import HealthSyncDomain

/// The series of an export in the order of the file.
enum SeriesCatalog {
    static func all(_ scenario: Scenario) -> [any RecordSeries] {
        let seed = scenario.seed
        let density = scenario.density
        return [
            BodyMassSeries(seed: seed),
            HeartRateSeries(seed: seed, density: density),
            NightVitalSeries(measure: .oxygen, seed: seed, density: density),
            BloodPressureSeries(seed: seed, isSystolic: true),
            BloodPressureSeries(seed: seed, isSystolic: false),
            NightVitalSeries(measure: .breathing, seed: seed, density: density),
            WalkedSeries(measure: .steps, seed: seed),
            WalkedSeries(measure: .distance, seed: seed),
            EnergySeries(measure: .basal, seed: seed, density: density),
            EnergySeries(measure: .active, seed: seed, density: density),
            FlightsSeries(seed: seed),
            ExerciseSeries(seed: seed),
            DailyRateSeries(measure: .resting, seed: seed),
            FitnessSeries(seed: seed),
            DailyRateSeries(measure: .walking, seed: seed),
            StandTimeSeries(seed: seed),
            SleepSeries(seed: seed),
            StandHourSeries(seed: seed),
            VariabilitySeries(seed: seed, density: density),
            BloodPressureCorrelations(seed: seed),
            Workouts(seed: seed, routeStart: scenario.routeWalk?.span.start, routePath: scenario.routePath),
            ActivitySummaries(),
        ]
    }
}

/// All records of one type, written day by day, because an export is grouped by type.
protocol RecordSeries: Sendable {
    /// HealthKit's identifier, or the element's name for other elements.
    var type: String { get }
    /// Writes the type's records of the day and records their truth.
    func write(_ plan: DayPlan, to page: inout ExportPage)
}
