import HealthSyncDomain

/// The sleep that counts on one day.
struct TruthSleep: Sendable, Encodable {
    /// The main sleep of the night before: the watch's if it exists, otherwise the phone's time in bed.
    let main: TruthSession?
    /// Shorter sessions that end on the day.
    let naps: [TruthSession]

    init(_ plan: DayPlan, clock: DayClock) {
        let watch = plan.night.watchStretches.map {
            TruthSession($0, source: plan.watch.sourceName, clock: clock)
        }
        let inBed = plan.night.phoneInBed.map {
            TruthSession(
                SleepStretch(stages: [StageSpan(stage: .inBed, span: $0)]), source: plan.phone.sourceName, clock: clock)
        }
        main = watch.first ?? inBed
        let afternoon = plan.nap.map { [TruthSession($0, source: plan.watch.sourceName, clock: clock)] } ?? []
        naps = watch.dropFirst() + afternoon
    }
}
