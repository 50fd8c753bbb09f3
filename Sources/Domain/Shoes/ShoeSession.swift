public import Foundation

/// A half-open interval in which a shoe was worn. An active session has no end.
public struct ShoeSession: Sendable, Hashable, Identifiable {
    /// Identifies the session.
    public let id: UUID
    /// The pair that was worn.
    public let shoe: Shoe.ID
    /// When it began.
    public var start: Instant
    /// `nil` while the session is active.
    public var end: Instant?
    /// Whether the first steps of a day started the session and the user has not changed the start.
    public var isAutoStarted: Bool
    /// Whether inactivity ended the session and the user has not changed the end.
    public var isAutoClosed: Bool

    package init(
        id: UUID, shoe: Shoe.ID, start: Instant, end: Instant? = nil, isAutoStarted: Bool = false,
        isAutoClosed: Bool = false
    ) {
        self.id = id
        self.shoe = shoe
        self.start = start
        self.end = end
        self.isAutoStarted = isAutoStarted
        self.isAutoClosed = isAutoClosed
    }

    /// Whether the pair is being worn.
    public var isActive: Bool { end == nil }

    /// The interval of the session. An active session is unbounded.
    package var interval: InstantRange { InstantRange(start: start, end: end ?? Instant(milliseconds: .max)) }

    /// Returns the interval of the session. An active session ends at `now`.
    package func interval(until now: Instant) -> InstantRange { InstantRange(start: start, end: end ?? now) }
}

/// All sessions, ascending by start. Sessions never overlap and at most one is active; every operation preserves
/// this.
package struct ShoeSessions: Sendable, Hashable {
    package private(set) var all: [ShoeSession]

    package init(_ sessions: [ShoeSession] = []) { all = sessions.sorted { $0.start < $1.start } }

    /// The active session.
    package var active: ShoeSession? { all.last { $0.isActive } }

    /// Starts `shoe` at `instant`, and ends every other session there that is active or ends later.
    package mutating func start(_ shoe: Shoe.ID, at instant: Instant, newID: () -> UUID) {
        clear(InstantRange(start: instant, end: Instant(milliseconds: .max)), newID: newID)
        insert([ShoeSession(id: newID(), shoe: shoe, start: instant)])
    }

    /// Ends the active session at `instant`. If it began no earlier, it is deleted.
    package mutating func stop(at instant: Instant) {
        guard let index = all.lastIndex(where: \.isActive) else { return }
        all[index].end = instant
        all[index].isAutoClosed = false
        if all[index].start >= instant { all.remove(at: index) }
    }

    /// Assigns `range` to `shoe`. Overlapping sessions of other shoes are truncated or split, and so are sessions of
    /// the same shoe whose end may still change automatically. Sessions of the same shoe that the user ended are
    /// unchanged, so the operation is idempotent.
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

    /// Removes `range` from every session, except from those of `sparing` that the user ended. Parts outside the
    /// range are kept.
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

    /// Returns the indices of the sessions that overlap `range`.
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
