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
