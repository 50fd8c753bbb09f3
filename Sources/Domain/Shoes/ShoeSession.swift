package import Foundation

/// A half-open interval in which a shoe was worn. An active session has no end.
package struct ShoeSession: Sendable, Hashable, Identifiable {
    package let id: UUID
    package let shoe: Shoe.ID
    package var start: Instant
    /// `nil` while the session is active.
    package var end: Instant?
    /// Whether the first steps of a day started the session and the user has not changed the start.
    package var isAutoStarted: Bool
    /// Whether inactivity ended the session and the user has not changed the end.
    package var isAutoClosed: Bool

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

    package var isActive: Bool { end == nil }

    /// The interval of the session. An active session is unbounded.
    package var interval: InstantRange { InstantRange(start: start, end: end ?? Instant(milliseconds: .max)) }

    /// Returns the interval of the session. An active session ends at `now`.
    package func interval(until now: Instant) -> InstantRange { InstantRange(start: start, end: end ?? now) }
}
