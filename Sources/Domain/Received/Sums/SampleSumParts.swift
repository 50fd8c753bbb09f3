/// The division of an interval into whole cells of the stored sums and the rest at its edges.
package struct SampleSumParts: Sendable {
    /// Ranges of numbers of cells that lie within the interval.
    package private(set) var cells: [(level: SampleSumCell.Level, numbers: Range<Int64>)] = []
    /// The parts of the interval that no whole cell covers, and the fine cell around each.
    package private(set) var edges: [(interval: InstantRange, cell: Int64)] = []

    /// Divides `interval`. Times are limited to a range that contains every possible sample.
    package init(of interval: InstantRange) {
        let start = max(interval.start.milliseconds, -Self.limit)
        let end = min(interval.end.milliseconds, Self.limit)
        guard start < end else { return }
        let length = SampleSumCell.Level.fine.milliseconds
        let first = (start - SampleSumCell.origin + length - 1).flooredQuotient(by: length)
        let last = (end - SampleSumCell.origin).flooredQuotient(by: length)
        guard first <= last else {
            addEdge(start, end)
            return
        }
        addEdge(start, Self.start(first))
        let ratio = Int64(1) << SampleSumCell.ratioBits
        let (firstCoarse, lastCoarse) = (
            (first + ratio - 1) >> SampleSumCell.ratioBits, last >> SampleSumCell.ratioBits
        )
        if firstCoarse < lastCoarse {
            add(.fine, first..<firstCoarse * ratio)
            add(.coarse, firstCoarse..<lastCoarse)
            add(.fine, lastCoarse * ratio..<last)
        } else {
            add(.fine, first..<last)
        }
        addEdge(Self.start(last), end)
    }

    private mutating func add(_ level: SampleSumCell.Level, _ numbers: Range<Int64>) {
        if !numbers.isEmpty { cells.append((level, numbers)) }
    }

    private mutating func addEdge(_ start: Int64, _ end: Int64) {
        guard start < end else { return }
        let interval = InstantRange(start: Instant(milliseconds: start), end: Instant(milliseconds: end))
        edges.append((interval, SampleSumCell(containing: start).number))
    }

    private static func start(_ number: Int64) -> Int64 { SampleSumCell(level: .fine, number: number).start }

    /// Times of samples are far smaller.
    private static let limit: Int64 = 1 << 60
}
