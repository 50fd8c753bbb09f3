extension SleepSession {
    /// Returns `sessions` with their roles, days and preferences, by night, start and origin, according to the rules of
    /// `SleepSessionBuilder`.
    ///
    /// - Parameter sessions: all sessions of each of their nights.
    package static func ranked(_ sessions: [SleepSession], by priority: OriginPriority) -> [SleepSession] {
        let nights = Dictionary(grouping: sessions, by: \.night).values.map { sessions in
            Dictionary(grouping: sessions) {
                ExactText("\($0.origin.recorder)\u{1F}\($0.stages.isEmpty ? "sums" : "")")
            }
            .sorted { $0.key < $1.key }.map { withRoles($0.value) }
        }
        return nights.flatMap { SleepPreference(priority: priority).marked($0) }.sorted(by: precedes)
    }

    private static func withRoles(_ sessions: [SleepSession]) -> [SleepSession] {
        let ranked = sessions.sorted {
            ($1.interval.milliseconds, $1.durations.asleep, $0.interval.start)
                < ($0.interval.milliseconds, $0.durations.asleep, $1.interval.start)
        }
        return ranked.enumerated().map { index, session in
            var session = session
            session.day = session.night
            session.role = index == 0 ? .main : session.durations.asleep < 3 * 3_600_000 ? .nap : .additional
            if session.role == .nap { session.day = session.calendarDayOfEnd }
            return session
        }
    }

    private var calendarDayOfEnd: CalendarDay {
        // A nap until midnight ends on the day before.
        let lastMoment = max(interval.start, interval.end.advanced(byMilliseconds: -1))
        return CalendarDay(utcDayOf: lastMoment.advanced(bySeconds: offsetSeconds))
    }

    private static func precedes(_ left: SleepSession, _ right: SleepSession) -> Bool {
        if left.night != right.night { return left.night < right.night }
        // Texts are made only for sessions that start together.
        if left.interval.start != right.interval.start { return left.interval.start < right.interval.start }
        return (left.origin.orderingText, left.interval.end) < (right.origin.orderingText, right.interval.end)
    }
}
