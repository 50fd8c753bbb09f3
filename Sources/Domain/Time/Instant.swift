/// A point in absolute time, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Health files state whole seconds; sub-second input is kept to the millisecond. An integer compares and sums
/// exactly where a floating `Date` does not.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    public var milliseconds: Int64

    /// The instant that lies `milliseconds` after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The instant that lies `seconds` after 1970-01-01T00:00:00Z. Saturates instead of overflowing.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

    /// The instant `milliseconds` later (earlier when negative). Saturates instead of overflowing.
    public func advanced(byMilliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        return Instant(milliseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// The instant `seconds` later (earlier when negative). Saturates instead of overflowing.
    public func advanced(bySeconds seconds: Int64) -> Instant {
        advanced(byMilliseconds: Instant(seconds: seconds).milliseconds)
    }

    /// Earlier is smaller.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

/// A half-open stretch of absolute time: it holds its start and not its end.
public struct InstantRange: Hashable, Sendable {
    /// The first instant inside.
    public var start: Instant
    /// The first instant after.
    public var end: Instant

    /// The stretch from `start` up to and without `end`. An end before the start makes an empty stretch at `start`.
    public init(start: Instant, end: Instant) {
        self.start = start
        self.end = max(start, end)
    }

    /// Length in milliseconds, never negative. Saturates instead of overflowing.
    public var milliseconds: Int64 {
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow ? .max : length
    }

    /// Whether the stretch has no length.
    public var isEmpty: Bool { start == end }

    /// Whether `instant` lies inside.
    public func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// The part common to both, or `nil` when they do not meet in more than a point.
    public func intersection(_ other: InstantRange) -> InstantRange? {
        let low = max(start, other.start)
        let high = min(end, other.end)
        return low < high ? InstantRange(start: low, end: high) : nil
    }
}

extension FixedWidthInteger {
    /// Quotient rounded towards negative infinity, for a positive divisor.
    package func flooredQuotient(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
