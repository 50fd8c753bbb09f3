import HealthSyncDomain

/// The nights of received sessions. A sender of this version states them; those of other senders are computed by the same
/// rules (`SleepArrangement`).
enum ReceivedNights {
    /// Returns all sessions with their places. Where several senders recorded a night, that of a sender that states
    /// nights counts.
    static func sessions(_ received: [ReceivedSleep.Session], by priority: OriginPriority) -> [SleepSession] {
        var placed: [SleepSession] = []
        var unplaced: [SleepArrangement.Recorded] = []
        for session in received {
            switch session {
            case .placed(let session): placed.append(session)
            case .unplaced(let recorded): unplaced.append(recorded)
            }
        }
        guard !unplaced.isEmpty else { return placed }
        let arrangement = SleepArrangement(
            gapMinutes: SleepSessionBuilder.standardGapMinutes,
            nightGapMinutes: SleepSessionBuilder.standardNightGapMinutes, priority: priority
        ) { _ in SleepClock(offsetSeconds: 0) }
        return placed + beside(placed, arrangement.sessions(unplaced))
    }

    /// Returns `computed` such that no night is counted twice and no day has two main sleeps.
    private static func beside(_ placed: [SleepSession], _ computed: [SleepSession]) -> [SleepSession] {
        let counting = placed.filter { $0.share != nil }.sorted { $0.interval.start < $1.interval.start }
        guard !counting.isEmpty else { return computed }
        let mains = Set(counting.filter { $0.role == .main }.map(\.day))
        let longest = counting.map(\.interval.milliseconds).max() ?? 0
        var covered: Set<Instant> = []
        for session in computed where session.share != nil {
            let earliest = session.interval.start.advanced(byMilliseconds: -longest)
            let near = counting[counting.partitionPoint { $0.interval.start < earliest }...]
                .prefix { $0.interval.start < session.interval.end }
            if near.contains(where: { $0.interval.intersection(session.interval) != nil }) {
                covered.insert(session.onset)
            }
        }
        let asleep = Dictionary(grouping: computed, by: \.onset).mapValues { sessions in
            sessions.reduce(0) { $0 + ($1.share?.durations.asleep ?? 0) }
        }
        return computed.map { session in
            var session = session
            if covered.contains(session.onset) { session.share = nil }
            if session.role == .main, mains.contains(session.day) {
                session.role = asleep[session.onset] ?? 0 < SleepSession.longSleep ? .nap : .additional
            }
            return session
        }
    }
}
