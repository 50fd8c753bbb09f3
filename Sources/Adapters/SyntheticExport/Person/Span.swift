/// A half-open time interval in whole seconds since 1970-01-01T00:00:00Z.
struct Span: Sendable, Hashable {
    var start: Int64
    var end: Int64

    var seconds: Int64 { end - start }

    func contains(_ instant: Int64) -> Bool { start <= instant && instant < end }

    func overlaps(_ other: Span) -> Bool { start < other.end && other.start < end }

    /// Returns the length of the overlap in seconds.
    func common(with other: Span) -> Int64 { max(0, min(end, other.end) - max(start, other.start)) }
}
