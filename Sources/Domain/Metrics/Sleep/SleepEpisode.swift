/// A night, a nap or an additional sleep: what the sessions of all its recorders amount to.
package struct SleepEpisode: Hashable, Sendable {
    /// The day to which it belongs.
    package let day: CalendarDay
    package let role: SleepSession.Role
    /// From the first start to the last end of the sessions that count.
    package let interval: InstantRange
    /// Seconds east of UTC at the start, by the clock of the session that starts first.
    package let offsetSeconds: Int64
    /// The sums of what the sessions add. The time in bed excludes the time between the parts of a night.
    package let durations: SleepDurations
    /// What counts of the stages, by start; empty if only sums are known.
    package let stages: [SleepStageInterval]
    /// The sessions that count, by start.
    package let sessions: [SleepSession]
    /// Whether it counts; no for a session that other recorders cover, as its own recorder measured it.
    package let counts: Bool

    /// Returns what the sessions that count amount to, by start.
    package static func episodes(of sessions: [SleepSession]) -> [SleepEpisode] {
        Dictionary(grouping: sessions.filter { $0.share != nil }) { Key(day: $0.day, onset: $0.onset) }.values
            .map { SleepEpisode($0, counts: true) }
            .sorted { ($0.interval.start, $0.interval.end) < ($1.interval.start, $1.interval.end) }
    }

    private struct Key: Hashable {
        var day: CalendarDay
        var onset: Instant
    }

    /// Creates what `session` amounts to by itself, as its recorder measured it.
    package init(alone session: SleepSession) {
        var session = session
        let counts = session.share != nil
        session.share = SleepShare(stretches: [session.interval], durations: session.durations)
        self.init([session], counts: counts)
    }

    private init(_ counting: [SleepSession], counts: Bool) {
        let sessions = counting.sorted { ($0.interval.start, $0.interval.end) < ($1.interval.start, $1.interval.end) }
        let first = sessions[0]
        day = first.day
        role = first.role
        offsetSeconds = first.offsetSeconds
        interval = InstantRange(
            start: first.interval.start, end: sessions.reduce(first.interval.end) { max($0, $1.interval.end) })
        durations = sessions.reduce(into: SleepDurations()) { $0.add($1.share?.durations ?? SleepDurations()) }
        stages = Self.stages(sessions)
        self.sessions = sessions
        self.counts = counts
    }

    /// The names of the sources that count, in the order of their start.
    package var sources: [String] {
        var seen: Set<ExactText> = []
        return sessions.map(\.origin.sourceName).filter { seen.insert(ExactText($0)).inserted }
    }

    /// The names of the sources in one text.
    package var sourceNames: String { sources.joined(separator: ", ") }

    /// The parts of a night, ascending: the intervals of its sessions, joined where they overlap or are at most an hour
    /// apart.
    package var periods: [InstantRange] {
        var periods: [InstantRange] = []
        let gap = Int64(SleepSessionBuilder.standardGapMinutes) * 60_000
        for next in sessions.map(\.interval) {
            if let last = periods.last, next.start.milliseconds - last.end.milliseconds <= gap {
                periods[periods.count - 1].end = max(last.end, next.end)
            } else {
                periods.append(next)
            }
        }
        return periods
    }

    private static func stages(_ sessions: [SleepSession]) -> [SleepStageInterval] {
        if sessions.count == 1, let only = sessions.first, only.share?.stretches.count ?? 0 < 2 { return only.stages }
        return sessions.indices.flatMap { index -> [SleepStageInterval] in
            let (own, all) = (sessions[index].share?.stretches ?? [], sessions[index].stages)
            let others = sessions.indices.filter { $0 != index }.flatMap { sessions[$0].share?.stretches ?? [] }
            let asleep = all.filter(\.stage.isSleep).flatMap { item in
                own.compactMap { $0.intersection(item.interval) }
                    .map { SleepStageInterval(stage: item.stage, interval: $0) }
            }
            let awake = SleepStageInterval.awake(in: all, besides: others)
                .map { SleepStageInterval(stage: .awake, interval: $0) }
            return asleep + awake + all.filter { $0.stage == .inBed }
        }.sorted { ($0.interval.start, $0.interval.end) < ($1.interval.start, $1.interval.end) }
    }
}

extension SleepDurations {
    fileprivate mutating func add(_ other: SleepDurations) {
        inBed += other.inBed
        asleep += other.asleep
        awake += other.awake
        core += other.core
        deep += other.deep
        rem += other.rem
        unspecified += other.unspecified
    }
}

extension SleepEpisode {
    /// Returns the seconds east of UTC on the user's wall clock at `instant` of the sleep. If the start is in the
    /// zone of `clock`, the offset is that of `clock`, so that a night in which the clocks change ends at the hour that
    /// the user saw. If a sample stated another zone, the offset is that of the start.
    package func offsetSeconds(at instant: Instant, by clock: DayClock) -> Int64 {
        clock.offsetSeconds(at: interval.start) == offsetSeconds ? clock.offsetSeconds(at: instant) : offsetSeconds
    }
}
