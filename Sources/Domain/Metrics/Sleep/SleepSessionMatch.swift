/// Which stored sessions go on as which derived ones, so that a session that grows or shrinks with late data keeps its
/// id.
///
/// A pair is of the same recorder and night and shares time; of several possible pairs those that share more time come
/// first, then those that start earlier. Every session is in at most one pair.
package struct SleepSessionMatch: Sendable {
    /// Derived sessions that go on as a stored one, by start.
    package private(set) var kept: [(session: SleepSession, stored: RevisedRecord<SleepSession>)] = []
    /// Derived sessions that are new, by start.
    package private(set) var added: [SleepSession] = []
    /// Stored sessions that are no more, by start.
    package private(set) var vanished: [RevisedRecord<SleepSession>] = []

    private struct Place: Hashable {
        var recorder: String
        var night: CalendarDay
    }

    private struct Pair {
        var derived: Int
        var stored: Int
        var shared: Int64
    }

    /// Matches what was stored of some nights with what was derived of the same nights.
    package init(stored: [RevisedRecord<SleepSession>], derived: [SleepSession]) {
        let stored = stored.sorted { ($0.record.interval.start, $0.sourceID) < ($1.record.interval.start, $1.sourceID) }
        let derived = derived.sorted {
            ($0.interval.start, $0.interval.end, $0.origin.canonicalText)
                < ($1.interval.start, $1.interval.end, $1.origin.canonicalText)
        }
        var partner: [Int: Int] = [:]
        var taken: Set<Int> = []
        for pair in Self.pairs(stored, derived) where partner[pair.derived] == nil && !taken.contains(pair.stored) {
            partner[pair.derived] = pair.stored
            taken.insert(pair.stored)
        }
        for (index, session) in derived.enumerated() {
            if let match = partner[index] { kept.append((session, stored[match])) } else { added.append(session) }
        }
        vanished = stored.indices.filter { !taken.contains($0) }.map { stored[$0] }
    }

    private static func pairs(_ stored: [RevisedRecord<SleepSession>], _ derived: [SleepSession]) -> [Pair] {
        let places = Dictionary(grouping: stored.indices) { place(stored[$0].record) }
        var pairs: [Pair] = []
        for (index, session) in derived.enumerated() {
            for candidate in places[place(session)] ?? [] {
                let old = stored[candidate].record
                // A session and its copy without stages lie over each other; they are two things.
                guard old.stages.isEmpty == session.stages.isEmpty else { continue }
                let shared = old.interval.intersection(session.interval)?.milliseconds ?? 0
                if shared > 0 || old.interval == session.interval {
                    pairs.append(Pair(derived: index, stored: candidate, shared: shared))
                }
            }
        }
        return pairs.sorted { ($1.shared, $0.derived, $0.stored) < ($0.shared, $1.derived, $1.stored) }
    }

    private static func place(_ session: SleepSession) -> Place {
        Place(recorder: session.origin.recorder, night: session.night)
    }
}
