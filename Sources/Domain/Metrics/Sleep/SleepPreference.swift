/// Chooses the sessions that summaries show among several recorders of one night.
struct SleepPreference {
    let priority: OriginPriority

    /// Returns the sessions of one night, grouped by recorder, with the preferred ones marked.
    func marked(_ recorders: [[SleepSession]]) -> [SleepSession] {
        let ranked = recorders.sorted(by: outranks)
        var preferred: [InstantRange] = []
        return ranked.enumerated().flatMap { rank, sessions in
            let marked = sessions.map { session in
                var session = session
                let isSeenByBetter = preferred.contains { $0.intersection(session.interval) != nil }
                session.isPreferred = rank == 0 || (session.role != .main && !isSeenByBetter)
                return session
            }
            preferred += marked.filter(\.isPreferred).map(\.interval)
            return marked
        }
    }

    private func outranks(_ left: [SleepSession], _ right: [SleepSession]) -> Bool {
        let (leftDetail, rightDetail) = (detail(left), detail(right))
        if leftDetail != rightDetail { return leftDetail > rightDetail }
        guard let leftOrigin = left.first?.origin, let rightOrigin = right.first?.origin else { return false }
        if leftOrigin != rightOrigin { return priority.precedes(leftOrigin, rightOrigin) }
        // One recorder may have both stages and sums; stages contain more.
        return !left.allSatisfy(\.stages.isEmpty) && right.allSatisfy(\.stages.isEmpty)
    }

    /// Returns 2 with stages, 1 with sleep only, 0 with time in bed only, according to the main sleep, which comes first.
    private func detail(_ sessions: [SleepSession]) -> Int {
        guard let main = sessions.first?.durations else { return 0 }
        return main.core + main.deep + main.rem > 0 ? 2 : main.asleep > 0 ? 1 : 0
    }
}
