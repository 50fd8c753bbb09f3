/// A point in absolute time, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Health files contain whole seconds; finer input is truncated to milliseconds. Unlike `Date`, an integer can be
/// compared and added exactly.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    public var milliseconds: Int64

    /// Creates the instant `milliseconds` after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Creates the instant `seconds` after 1970-01-01T00:00:00Z. Saturates instead of overflowing.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 { milliseconds.flooredQuotient(by: 1000) }

    /// Returns the instant `milliseconds` later (earlier if negative). Saturates instead of overflowing.
    public func advanced(byMilliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        return Instant(milliseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// Returns the instant `seconds` later (earlier if negative). Saturates instead of overflowing.
    public func advanced(bySeconds seconds: Int64) -> Instant {
        let (milliseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        guard !isBeyond else { return Instant(milliseconds: seconds < 0 ? .min : .max) }
        return advanced(byMilliseconds: milliseconds)
    }

    /// Whether the UTC year is 1 to 9999, so that RFC 3339 can express the instant. Stored and received instants are.
    package var isRepresentable: Bool { CalendarDay.representable.contains(CalendarDay(utcDayOf: self)) }

    /// Compares chronologically.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Instant {
    private enum CodingKeys: CodingKey {
        case milliseconds
    }

    /// Decodes the milliseconds. A year outside 1–9999 is rejected, because no program writes one.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        milliseconds = try members.decode(Int64.self, forKey: .milliseconds)
        guard isRepresentable else {
            throw DecodingError.dataCorruptedError(
                forKey: .milliseconds, in: members, debugDescription: "not in the years 1 to 9999")
        }
    }
}

/// A half-open interval of absolute time: it contains its start but not its end.
public struct InstantRange: Hashable, Sendable {
    /// The first instant inside.
    public var start: Instant
    /// The first instant after the interval.
    public var end: Instant

    /// Creates the interval from `start` up to but not including `end`. An end before the start makes an empty
    /// interval at `start`.
    public init(start: Instant, end: Instant) {
        self.start = start
        self.end = max(start, end)
    }

    /// The length in milliseconds, never negative. Saturates instead of overflowing.
    public var milliseconds: Int64 {
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow ? .max : length
    }

    /// Whether the interval has no length.
    public var isEmpty: Bool { start == end }

    /// Returns whether `instant` is inside the interval.
    public func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// Returns the interval common to both; `nil` if they do not overlap.
    public func intersection(_ other: InstantRange) -> InstantRange? {
        let low = max(start, other.start)
        let high = min(end, other.end)
        return low < high ? InstantRange(start: low, end: high) : nil
    }
}

extension FixedWidthInteger {
    /// Returns the quotient rounded towards negative infinity, for a positive divisor.
    package func flooredQuotient(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// The plausible years of a sample, and of the receipt of a post, 1900 to 2200, in UTC.
package enum PlausibleTime {
    /// 1900-01-01T00:00:00Z, in milliseconds since 1970.
    package static let firstMillisecond: Int64 = -2_208_988_800_000
    /// 2201-01-01T00:00:00Z, the first instant that is too late, in milliseconds since 1970.
    package static let endMillisecond: Int64 = 7_289_654_400_000

    /// Returns whether `instant` is within these years.
    package static func contains(_ instant: Instant) -> Bool {
        (firstMillisecond..<endMillisecond).contains(instant.milliseconds)
    }

    /// Returns whether `interval` is within these years.
    package static func contains(_ interval: InstantRange) -> Bool {
        interval.start.milliseconds >= firstMillisecond && interval.end.milliseconds < endMillisecond
    }
}
