/// Matches stored sessions with derived ones, so that a session that grows or shrinks with late data keeps its id.
///
/// The sessions of a pair have the same recorder and overlap, even if the session now belongs to another day. Of several
/// possible pairs, those with more common time come first, then those of one day, then those that start earlier. Every
/// session is in at most one pair.
package struct SleepSessionMatch: Sendable {
    /// Derived sessions that continue a stored one, by start.
    package private(set) var kept: [(session: SleepSession, stored: RevisedRecord<SleepSession>)] = []
    /// Derived sessions that are new, by start.
    package private(set) var added: [SleepSession] = []
    /// Stored sessions that no longer exist, by start.
    package private(set) var vanished: [RevisedRecord<SleepSession>] = []

    private struct Pair {
        var derived: Int
        var stored: Int
        var shared: Int64
        var isOfOneDay: Bool

        func precedes(_ other: Pair) -> Bool {
            if shared != other.shared { return shared > other.shared }
            if isOfOneDay != other.isOfOneDay { return isOfOneDay }
            return (derived, stored) < (other.derived, other.stored)
        }
    }

    /// Matches the stored and the derived sessions of the same days.
    package init(stored: [RevisedRecord<SleepSession>], derived: [SleepSession]) {
        let stored = stored.sorted { ($0.record.interval.start, $0.sourceID) < ($1.record.interval.start, $1.sourceID) }
        let derived = derived.sorted {
            ($0.interval.start, $0.interval.end, $0.origin.orderingText)
                < ($1.interval.start, $1.interval.end, $1.origin.orderingText)
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

    /// Returns whether two sessions are the same: one recorder, one kind, overlapping times.
    package static func isSame(_ one: SleepSession, _ other: SleepSession) -> Bool {
        one.origin.recorder.hasSameBytes(as: other.origin.recorder) && shared(one, other) != nil
    }

    private static func pairs(_ stored: [RevisedRecord<SleepSession>], _ derived: [SleepSession]) -> [Pair] {
        let recorded = Dictionary(grouping: stored.indices) { ExactText(stored[$0].record.origin.recorder) }
        var pairs: [Pair] = []
        for (index, session) in derived.enumerated() {
            for candidate in recorded[ExactText(session.origin.recorder)] ?? [] {
                let old = stored[candidate].record
                // Ordered by start: no later one overlaps.
                if old.interval.start > session.interval.end { break }
                guard let shared = shared(old, session) else { continue }
                pairs.append(
                    Pair(
                        derived: index, stored: candidate, shared: shared,
                        isOfOneDay: old.day == session.day))
            }
        }
        return pairs.sorted { $0.precedes($1) }
    }

    /// Returns the common milliseconds of two sessions of a recorder; `nil` if they are different sessions.
    private static func shared(_ one: SleepSession, _ other: SleepSession) -> Int64? {
        // A session and its copy without stages overlap, but are different sessions.
        guard one.stages.isEmpty == other.stages.isEmpty else { return nil }
        let shared = one.interval.intersection(other.interval)?.milliseconds ?? 0
        return shared > 0 || one.interval == other.interval ? shared : nil
    }
}
