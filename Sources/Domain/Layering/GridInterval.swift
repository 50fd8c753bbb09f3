/// A node of the layering tree: 2^exponent seconds of absolute time on a fixed grid.
///
/// A root is 2^30 s long; one begins at 2001-01-01T00:00:00Z and the others follow to both sides without end. Every
/// other node is a half of the one above it. So a node means the same whatever "now" is.
package struct GridInterval: Hashable, Sendable {
    /// The first instant inside.
    package let start: Instant
    /// The length is 2^exponent seconds; 9 to 30.
    package let exponent: Int

    /// The exponent of a root: 2^30 s are 34 years.
    package static let rootExponent = 30
    /// The exponent of the shortest interval: 512 s.
    package static let shortestExponent = 9

    /// The node of that length that holds `instant`; `exponent` is 9 to 30.
    package init(containing instant: Instant, exponent: Int) {
        let length = Self.milliseconds(exponent)
        let place = (instant.milliseconds - Self.origin).flooredQuotient(by: length)
        start = Instant(milliseconds: Self.origin + place * length)
        self.exponent = exponent
    }

    /// The node that begins at `start` and is `seconds` long; `nil` when the grid has no such node.
    package init?(start: Instant, seconds: Int64) {
        guard seconds > 0, seconds & (seconds - 1) == 0 else { return nil }
        let exponent = seconds.trailingZeroBitCount
        guard (Self.shortestExponent...Self.rootExponent).contains(exponent) else { return nil }
        self.init(containing: start, exponent: exponent)
        guard self.start == start else { return nil }
    }

    private init(start: Instant, exponent: Int) {
        self.start = start
        self.exponent = exponent
    }

    /// The root that holds `instant`.
    package static func root(containing instant: Instant) -> GridInterval {
        GridInterval(containing: instant, exponent: rootExponent)
    }

    /// The shortest node that holds `instant`.
    static func shortest(containing instant: Instant) -> GridInterval {
        GridInterval(containing: instant, exponent: shortestExponent)
    }

    /// The first instant after.
    package var end: Instant { start.advanced(byMilliseconds: Self.milliseconds(exponent)) }

    /// Length in seconds.
    package var seconds: Int64 { 1 << Int64(exponent) }

    /// From `start` up to and without `end`.
    package var range: InstantRange { InstantRange(start: start, end: end) }

    /// The two nodes below; `nil` for the shortest, which has none.
    package var halves: (first: GridInterval, second: GridInterval)? {
        guard exponent > Self.shortestExponent else { return nil }
        let first = GridInterval(start: start, exponent: exponent - 1)
        return (first, GridInterval(start: first.end, exponent: exponent - 1))
    }

    /// Whether `instant` lies inside.
    package func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// 2001-01-01T00:00:00Z.
    private static let origin: Int64 = 978_307_200_000

    private static func milliseconds(_ exponent: Int) -> Int64 { 1000 << Int64(exponent) }
}
