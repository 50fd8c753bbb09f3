import HealthSyncDomain

/// The sleep that counts on one day.
struct TruthSleep: Sendable, Encodable {
    /// The main sleep of the night before: the watch's if it exists, otherwise, on a day without a nap, the phone's time in
    /// bed.
    let main: TruthSession?
    /// Shorter sessions that end on the day.
    let naps: [TruthSession]

    init(_ plan: DayPlan, clock: DayClock) {
        func session(_ stretches: [SleepStretch], _ source: String) -> TruthSession? {
            stretches.isEmpty ? nil : TruthSession(stretches, source: source, clock: clock)
        }
        let night = plan.night.watchStretches.prefix(1)
        let rest = plan.night.watchStretches.dropFirst()
        // The rest is at most three hours later, so it is of the night if it may be a part of one.
        let parts = rest.filter { Self.mayBeOfNight($0, clock: clock) }
        let later = rest.filter { !Self.mayBeOfNight($0, clock: clock) }
        naps = (later + [plan.nap].compactMap(\.self)).compactMap { session([$0], plan.watch.sourceName) }
        let inBed = plan.night.phoneInBed.map { SleepStretch(stages: [StageSpan(stage: .inBed, span: $0)]) }
        main =
            session(night + parts, plan.watch.sourceName)
            ?? (naps.isEmpty ? session([inBed].compactMap(\.self), plan.phone.sourceName) : nil)
    }

    private static func mayBeOfNight(_ stretch: SleepStretch, clock: DayClock) -> Bool {
        let begin = Instant(seconds: stretch.span.start)
        let time = begin.seconds + clock.offsetSeconds(at: begin) - clock.day(of: begin).utcStartSeconds
        return time < 9 * 3_600 || stretch.secondsAsleep >= 90 * 60
    }
}
