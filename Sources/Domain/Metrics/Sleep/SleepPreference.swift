/// Chooses among several recorders of one night what summaries show.
struct SleepPreference {
    let priority: OriginPriority

    /// The sessions of one night, given by recorder, with the preferred ones marked.
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
        // One recorder may state both stretches and sums; stretches say more.
        return !left.allSatisfy(\.stages.isEmpty) && right.allSatisfy(\.stages.isEmpty)
    }

    /// 2 with stages, 1 with sleep, 0 in bed only; by the main sleep, which comes first.
    private func detail(_ sessions: [SleepSession]) -> Int {
        guard let main = sessions.first?.durations else { return 0 }
        return main.core + main.deep + main.rem > 0 ? 2 : main.asleep > 0 ? 1 : 0
    }
}
