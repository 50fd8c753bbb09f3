/// Which stored sessions go on as which derived ones, so that a session that grows or shrinks with late data keeps its
/// id.
///
/// A pair is of the same recorder and shares time, also where the session belongs to another night now; of several
/// possible pairs those that share more time come first, then those of one night, then those that start earlier. Every
/// session is in at most one pair.
package struct SleepSessionMatch: Sendable {
    /// Derived sessions that go on as a stored one, by start.
    package private(set) var kept: [(session: SleepSession, stored: RevisedRecord<SleepSession>)] = []
    /// Derived sessions that are new, by start.
    package private(set) var added: [SleepSession] = []
    /// Stored sessions that are no more, by start.
    package private(set) var vanished: [RevisedRecord<SleepSession>] = []

    private struct Pair {
        var derived: Int
        var stored: Int
        var shared: Int64
        var isOfOneNight: Bool

        func precedes(_ other: Pair) -> Bool {
            if shared != other.shared { return shared > other.shared }
            if isOfOneNight != other.isOfOneNight { return isOfOneNight }
            return (derived, stored) < (other.derived, other.stored)
        }
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

    /// Whether one goes on as the other: of one recorder, of one kind, at one time.
    package static func isSame(_ one: SleepSession, _ other: SleepSession) -> Bool {
        one.origin.recorder == other.origin.recorder && shared(one, other) != nil
    }

    private static func pairs(_ stored: [RevisedRecord<SleepSession>], _ derived: [SleepSession]) -> [Pair] {
        let recorded = Dictionary(grouping: stored.indices) { stored[$0].record.origin.recorder }
        var pairs: [Pair] = []
        for (index, session) in derived.enumerated() {
            for candidate in recorded[session.origin.recorder] ?? [] {
                let old = stored[candidate].record
                // By start: none of those that follow shares time.
                if old.interval.start > session.interval.end { break }
                guard let shared = shared(old, session) else { continue }
                pairs.append(
                    Pair(
                        derived: index, stored: candidate, shared: shared,
                        isOfOneNight: old.night == session.night))
            }
        }
        return pairs.sorted { $0.precedes($1) }
    }

    /// The milliseconds for which two sessions of a recorder lie over each other; `nil` where they are two things.
    private static func shared(_ one: SleepSession, _ other: SleepSession) -> Int64? {
        // A session and its copy without stages lie over each other; they are two things.
        guard one.stages.isEmpty == other.stages.isEmpty else { return nil }
        let shared = one.interval.intersection(other.interval)?.milliseconds ?? 0
        return shared > 0 || one.interval == other.interval ? shared : nil
    }
}
