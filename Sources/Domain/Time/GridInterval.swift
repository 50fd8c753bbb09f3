/// A node of the layering tree: 2^exponent seconds of absolute time on a fixed grid.
///
/// A root is 2^30 s long. One root begins at 2001-01-01T00:00:00Z; the others follow without gaps in both directions.
/// Every other node is half of its parent. So the meaning of a node does not depend on the current time.
package struct GridInterval: Hashable, Sendable {
    /// The first instant inside the interval.
    package let start: Instant
    /// The exponent of the length, 9 to 30: the interval is 2^exponent seconds long.
    package let exponent: Int

    /// The exponent of a root: 2^30 s, about 34 years.
    package static let rootExponent = 30
    /// The exponent of the shortest interval: 512 s.
    package static let shortestExponent = 9

    /// Creates the node of the given length that contains `instant`; `exponent` is 9 to 30.
    package init(containing instant: Instant, exponent: Int) {
        let length = Self.milliseconds(exponent)
        let place = (instant.milliseconds - Self.origin).flooredQuotient(by: length)
        start = Instant(milliseconds: Self.origin + place * length)
        self.exponent = exponent
    }

    /// Creates the node that begins at `start` and is `seconds` long; `nil` if the grid has no such node.
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

    /// Returns the root that contains `instant`.
    package static func root(containing instant: Instant) -> GridInterval {
        GridInterval(containing: instant, exponent: rootExponent)
    }

    /// Returns the shortest node that contains `instant`.
    static func shortest(containing instant: Instant) -> GridInterval {
        GridInterval(containing: instant, exponent: shortestExponent)
    }

    /// The first instant after the interval.
    package var end: Instant { start.advanced(byMilliseconds: Self.milliseconds(exponent)) }

    /// The length in seconds.
    package var seconds: Int64 { 1 << Int64(exponent) }

    /// The time from `start` up to but not including `end`.
    package var range: InstantRange { InstantRange(start: start, end: end) }

    /// The two children; `nil` for a node of the shortest length.
    package var halves: (first: GridInterval, second: GridInterval)? {
        guard exponent > Self.shortestExponent else { return nil }
        let first = GridInterval(start: start, exponent: exponent - 1)
        return (first, GridInterval(start: first.end, exponent: exponent - 1))
    }

    /// Returns whether `instant` is inside the interval.
    package func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// 2001-01-01T00:00:00Z.
    private static let origin: Int64 = 978_307_200_000

    private static func milliseconds(_ exponent: Int) -> Int64 { 1000 << Int64(exponent) }
}

extension GridInterval {
    /// Returns the fewest nodes that together contain every instant of `range`, ascending. At both ends they may
    /// extend beyond it by less than the shortest interval.
    package static func cover(of range: InstantRange) -> [GridInterval] {
        var nodes: [GridInterval] = []
        guard !range.isEmpty else { return nodes }
        let shortest = GridInterval(containing: range.start, exponent: shortestExponent)
        var start = shortest.start
        while start < range.end {
            var node = GridInterval(containing: start, exponent: shortestExponent)
            while node.exponent < rootExponent {
                let wider = GridInterval(containing: start, exponent: node.exponent + 1)
                guard wider.start == start, wider.end <= range.end else { break }
                node = wider
            }
            nodes.append(node)
            start = node.end
        }
        return nodes
    }
}
