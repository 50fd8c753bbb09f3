/// Running totals over stretches of time, of which each holds a whole number of cells of the layering grid (512 s): the
/// total of any interval that cuts none of them is a difference of two, found by binary search.
struct CellTotals<Total: AdditiveArithmetic & Sendable>: Sendable {
    /// Starts of the stretches that hold something, in milliseconds since 1970, ascending.
    private(set) var starts: [Int64] = []
    /// Of everything before the stretch at the same index; one more than there are stretches.
    private var totals = [Total.zero]

    /// Of everything.
    var all: Total { totals[totals.count - 1] }

    /// Changes what the stretch from `start` on holds, which must not lie before an earlier one.
    mutating func change(at start: Int64, _ change: (inout Total) -> Void) {
        if starts.last != start {
            starts.append(start)
            totals.append(all)
        }
        change(&totals[totals.count - 1])
    }

    /// Of the stretches that begin within `interval`.
    subscript(_ interval: GridInterval) -> Total {
        totals[place(of: interval.end)] - totals[place(of: interval.start)]
    }

    /// How many stretches begin before `instant`.
    private func place(of instant: Instant) -> Int { starts.partitionPoint { $0 < instant.milliseconds } }
}
