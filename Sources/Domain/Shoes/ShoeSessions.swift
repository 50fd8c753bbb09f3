package import Foundation

/// All sessions, ascending by start. No two share time and at most one is active; every change keeps it so.
package struct ShoeSessions: Sendable, Hashable {
    package private(set) var all: [ShoeSession]

    package init(_ sessions: [ShoeSession] = []) { all = sessions.sorted { $0.start < $1.start } }

    /// The session that has no end yet.
    package var active: ShoeSession? { all.last { $0.isActive } }

    /// Starts `shoe` at `instant`, and closes at that instant what is active or reaches beyond it.
    package mutating func start(_ shoe: Shoe.ID, at instant: Instant, newID: () -> UUID) {
        clear(InstantRange(start: instant, end: Instant(milliseconds: .max)), newID: newID)
        insert([ShoeSession(id: newID(), shoe: shoe, start: instant)])
    }

    /// Ends the active session at `instant`; one that began no earlier is taken away.
    package mutating func stop(at instant: Instant) {
        guard let index = all.lastIndex(where: \.isActive) else { return }
        all[index].end = instant
        all[index].isAutoClosed = false
        if all[index].start >= instant { all.remove(at: index) }
    }

    /// Puts `shoe` on for `range`. Sessions of other shoes in the way are cut or split, and so are its own whose end a
    /// rule may still move; those that a person ended stay as they are, so that a second time changes nothing.
    package mutating func assign(_ range: InstantRange, to shoe: Shoe.ID, newID: () -> UUID) {
        clear(range, sparing: shoe, newID: newID)
        var gaps: [ShoeSession] = []
        var low = range.start
        for session in all[indices(touching: range)] {
            if session.start > low {
                gaps.append(ShoeSession(id: newID(), shoe: shoe, start: low, end: session.start))
            }
            low = max(low, session.interval.end)
        }
        if low < range.end { gaps.append(ShoeSession(id: newID(), shoe: shoe, start: low, end: range.end)) }
        insert(gaps)
    }

    /// Takes `range` out of every session, but those of `sparing` that a person ended: what lies outside the range stays.
    package mutating func clear(_ range: InstantRange, sparing: Shoe.ID? = nil, newID: () -> UUID) {
        let touched = indices(touching: range)
        var pieces: [ShoeSession] = []
        for session in all[touched] {
            guard session.shoe != sparing || session.isActive || session.isAutoClosed else {
                pieces.append(session)
                continue
            }
            var before = session
            before.end = range.start
            before.isAutoClosed = false
            if session.start < range.start { pieces.append(before) }
            if range.end < session.interval.end {
                pieces.append(
                    ShoeSession(
                        id: session.start < range.start ? newID() : session.id, shoe: session.shoe, start: range.end,
                        end: session.end, isAutoClosed: session.isAutoClosed))
            }
        }
        all.replaceSubrange(touched, with: pieces)
    }

    /// The sessions that share time with `range`.
    package func indices(touching range: InstantRange) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        let low = all.partitionPoint { $0.interval.end <= range.start }
        let high = all.partitionPoint { $0.start < range.end }
        return low..<max(low, high)
    }

    private mutating func insert(_ sessions: [ShoeSession]) {
        all = (all + sessions).sorted { $0.start < $1.start }
    }
}
