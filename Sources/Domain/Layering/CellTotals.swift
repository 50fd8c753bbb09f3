/// Running totals over ranges of time that consist of whole cells of the layering grid (512 s). The total of an
/// interval that splits no range is the difference of two running totals, found by binary search.
struct CellTotals<Total: AdditiveArithmetic & Sendable>: Sendable {
    /// Starts of the nonempty ranges, in milliseconds since 1970, ascending.
    private(set) var starts: [Int64] = []
    /// Totals of everything before the range at the same index, then the grand total. Has one element more than
    /// `starts`.
    private var totals = [Total.zero]

    /// The grand total.
    var all: Total { totals[totals.count - 1] }

    /// Applies `change` to the total of the range that begins at `start`, which must not precede an earlier start.
    mutating func change(at start: Int64, _ change: (inout Total) -> Void) {
        if starts.last != start {
            starts.append(start)
            totals.append(all)
        }
        change(&totals[totals.count - 1])
    }

    /// Returns the total of the ranges that begin within `interval`.
    subscript(_ interval: GridInterval) -> Total {
        totals[place(of: interval.end)] - totals[place(of: interval.start)]
    }

    /// Returns the number of ranges that begin before `instant`.
    private func place(of instant: Instant) -> Int { starts.partitionPoint { $0 < instant.milliseconds } }
}
