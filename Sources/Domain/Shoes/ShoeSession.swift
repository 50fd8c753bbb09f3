package import Foundation

/// A half-open stretch of time in which a shoe was worn; without an end while it is worn.
package struct ShoeSession: Sendable, Hashable, Identifiable {
    package let id: UUID
    package let shoe: Shoe.ID
    package var start: Instant
    /// `nil` while active.
    package var end: Instant?
    /// Whether the day's first steps started it, and no person since.
    package var isAutoStarted: Bool
    /// Whether inactivity ended it, and no person since.
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

    /// From the start to the end, or without end.
    package var interval: InstantRange { InstantRange(start: start, end: end ?? Instant(milliseconds: .max)) }

    /// From the start to the end, or while active to `now`.
    package func interval(until now: Instant) -> InstantRange { InstantRange(start: start, end: end ?? now) }
}
