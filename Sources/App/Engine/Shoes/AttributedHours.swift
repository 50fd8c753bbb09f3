import HealthSyncDomain
import HealthSyncPorts

/// Divides the stored hours of days among sessions. Samples are read only for hours in which a session begins or
/// ends; other hours are used as stored.
struct AttributedHours: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings
    let sessions: ShoeSessions

    /// Returns the stored progress of the metrics of `WalkFigures` on `days`, and its hours by day.
    func read(_ days: DayRange) async throws -> (progress: [DailyProgress], hours: [CalendarDay: [AttributedHour]]) {
        let shares = HourShares(sessions)
        var progress: [DailyProgress] = []
        var hours: [CalendarDay: [AttributedHour]] = [:]
        for metric in WalkFigures.metrics {
            let records = try await ports.repository.progress(of: metric, days: days)
            let stretches = try await stretches(of: metric, records: records, shares: shares)
            for record in records {
                let isWhole = record.unit == SampleTypeDefinition.stepCount.unit
                let ofDay = stretches[record.day] ?? []
                hours[record.day, default: []] += record.hours.map { hour in
                    AttributedHour(
                        metric: metric, start: hour.start, quantity: hour.figures.quantity,
                        shares: shares.shares(of: hour, isWhole: isWhole, stretches: ofDay))
                }
            }
            progress += records
        }
        return (progress, hours)
    }

    /// Returns the merged values of hours in which a session begins or ends, by day.
    private func stretches(
        of metric: HealthMetric, records: [DailyProgress], shares: HourShares
    ) async throws -> [CalendarDay: [MergedStretch]] {
        var cuts: [CalendarDay: [Instant]] = [:]
        for record in records {
            let found = record.hours.flatMap { shares.cuts(of: $0.start) }
            if !found.isEmpty { cuts[record.day] = found }
        }
        guard !cuts.isEmpty, let definition = Self.definitions[metric] else { return [:] }
        let clocks = ZoneClocks(ports.time)
        let window = WindowLoader(
            pages: ports.pages, clock: settings.clock, types: [definition.type], reach: .days)
        var result: [CalendarDay: [MergedStretch]] = [:]
        for run in DayRange.runs(of: cuts.keys.sorted(), atMost: 62, bridging: 7) {
            try Task.checkCancellation()
            let samples = try await window.load(run)
            let merge = CumulativeMerge(
                metric: metric, unit: definition.unit, days: run, rules: clocks.rules(settings))
            let merged = merge.stretches(of: samples[definition.type], cutAt: run.flatMap { cuts[$0] ?? [] })
            result.merge(Dictionary(grouping: merged, by: \.day)) { $1 }
        }
        return result
    }

    private static let definitions: [HealthMetric: SampleTypeDefinition] = [
        .steps: .stepCount, .walkingDistance: .walkingRunningDistance,
    ]
}
