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
