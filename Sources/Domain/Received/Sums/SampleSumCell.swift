/// A cell of the sums that a server keeps of each series: 2^16 or 2^22 seconds of the grid of `GridInterval`. A digest of
/// a longer interval is the sum of a few hundred cells, however many samples they contain.
package struct SampleSumCell: Hashable, Sendable {
    /// The size of a cell.
    package enum Level: Int, Sendable, CaseIterable {
        /// 2^16 s, about 18 hours.
        case fine = 16
        /// 2^22 s, about 49 days.
        case coarse = 22

        /// The length in milliseconds.
        var milliseconds: Int64 { 1_000 << Int64(rawValue) }
    }

    package let level: Level
    /// The number of the cell; cell 0 begins at 2001-01-01T00:00:00Z.
    package let number: Int64

    package init(level: Level, number: Int64) {
        self.level = level
        self.number = number
    }

    /// Creates the fine cell that contains `milliseconds` since 1970.
    init(containing milliseconds: Int64) {
        self.init(level: .fine, number: (milliseconds - Self.origin).flooredQuotient(by: Level.fine.milliseconds))
    }

    /// The first instant inside the cell, in milliseconds since 1970.
    var start: Int64 { Self.origin + number * level.milliseconds }

    /// 2001-01-01T00:00:00Z, where the grid of `GridInterval` has a node of every length.
    static let origin: Int64 = 978_307_200_000
    /// A coarse cell contains 2^6 fine ones.
    static let ratioBits: Int64 = 6
}

/// Changes of the sums of a series, collected before they are stored.
package struct SampleSumChanges: Sendable {
    private var fine: [Int64: SampleSetDigest] = [:]
    /// The cell of the last sample. Consecutive samples are mostly in the same cell.
    private var current: (cell: Int64, range: Range<Int64>, sum: SampleSetDigest)?

    package init() {}

    /// Adds the samples of `columns` that are not deleted.
    package mutating func add(_ columns: ReceivedColumns) {
        for index in 0..<columns.count { add(columns, at: index) }
    }

    /// Adds the sample at `index` unless it is deleted.
    package mutating func add(_ columns: ReceivedColumns, at index: Int) {
        guard columns.isAlive(at: index, in: nil) else { return }
        let start = columns.starts[index]
        if current.map({ !$0.range.contains(start) }) ?? true { move(to: start) }
        current?.sum.insert(
            columns.ids[index], start: start, end: start + columns.lengths[index], value: columns.values[index])
    }

    /// Removes the sample at `index`, which was added before, unless it is deleted.
    package mutating func remove(_ columns: ReceivedColumns, at index: Int) {
        guard columns.isAlive(at: index, in: nil) else { return }
        let start = columns.starts[index]
        var removed = SampleSetDigest()
        removed.insert(
            columns.ids[index], start: start, end: start + columns.lengths[index], value: columns.values[index])
        fine[SampleSumCell(containing: start).number, default: .zero] -= removed
    }

    /// Returns the change of each cell of both levels, in order.
    package func changes() -> [(cell: SampleSumCell, change: SampleSetDigest)] {
        var fine = fine
        if let current { fine[current.cell, default: .zero] += current.sum }
        var coarse: [Int64: SampleSetDigest] = [:]
        for (number, sum) in fine { coarse[number >> SampleSumCell.ratioBits, default: .zero] += sum }
        return [(SampleSumCell.Level.coarse, coarse), (.fine, fine)].flatMap { level, sums in
            sums.filter { $0.value != .zero }.sorted { $0.key < $1.key }
                .map { (SampleSumCell(level: level, number: $0.key), $0.value) }
        }
    }

    private mutating func move(to start: Int64) {
        if let current { fine[current.cell, default: .zero] += current.sum }
        let cell = SampleSumCell(containing: start)
        current = (cell.number, cell.start..<cell.start + cell.level.milliseconds, .zero)
    }
}

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
