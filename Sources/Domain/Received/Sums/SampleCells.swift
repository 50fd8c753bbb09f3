/// The starts, ids and checksums of samples in memory, by the fine cells in which they start: 28 bytes a sample. A digest of a
/// part of a cell then depends on the samples of the cell only, in whatever order they are stored.
package struct SampleCells: Sendable {
    /// The number of bytes of a sample.
    package static let bytesOfSample = 28
    /// The largest number of cells from the first to the last one, 270 years.
    private static let largestSpan: Int64 = 1 << 17

    private let firstCell: Int64
    /// The place of the first sample of each cell, and at the end the number of all.
    private let firsts: [Int]
    /// The number of samples that were added to each cell.
    private var counts: [Int]
    private var offsets: [UInt32]
    private var highs: [UInt64]
    private var lows: [UInt64]
    private var contents: [UInt64]

    /// Reserves memory for the samples of each cell; `nil` if the cells are too far apart.
    ///
    /// - Parameter sizes: The number of samples that each cell contains at most, by ascending numbers of the cells.
    package init?(_ sizes: [(cell: Int64, count: Int)]) {
        guard let first = sizes.first?.cell, let last = sizes.last?.cell, last - first < Self.largestSpan else {
            return nil
        }
        var firsts = [Int](repeating: 0, count: Int(last - first) + 2)
        for (cell, count) in sizes { firsts[Int(cell - first) + 1] = count }
        for index in 1..<firsts.count { firsts[index] += firsts[index - 1] }
        firstCell = first
        counts = [Int](repeating: 0, count: firsts.count - 1)
        let count = firsts.last ?? 0
        self.firsts = firsts
        offsets = [UInt32](repeating: 0, count: count)
        highs = [UInt64](repeating: 0, count: count)
        lows = highs
        contents = highs
    }

    /// The memory that the samples take.
    package var byteCount: Int { offsets.count * Self.bytesOfSample + firsts.count * 16 }

    /// Adds the samples of a page that are not deleted, whose ids `id` returns.
    package mutating func add(_ page: ReceivedPageView, id: (Int) -> SampleID) throws(DamagedPage) {
        for (index, start) in page.starts.enumerated() where page.isAlive(at: index) {
            let digest = try page.digest(at: index, id: id(index))
            let cell = SampleSumCell(containing: start)
            let number = Int(cell.number - firstCell)
            guard counts.indices.contains(number), firsts[number] + counts[number] < firsts[number + 1] else {
                throw DamagedPage()
            }
            let place = firsts[number] + counts[number]
            counts[number] += 1
            offsets[place] = UInt32(truncatingIfNeeded: start - cell.start)
            (highs[place], lows[place], contents[place]) = (digest.ids.high, digest.ids.low, digest.content)
        }
    }

    /// Returns the digest of the samples that start within `interval`, which is a part of the fine cell `cell`.
    package func digest(in interval: InstantRange, of cell: Int64) -> SampleSetDigest {
        guard cell >= firstCell, cell - firstCell < Int64(counts.count) else { return .zero }
        let number = Int(cell - firstCell)
        let start = SampleSumCell(level: .fine, number: cell).start
        let range = interval.start.milliseconds - start..<interval.end.milliseconds - start
        var digest = SampleSetDigest()
        for place in firsts[number]..<firsts[number] + counts[number] where range.contains(Int64(offsets[place])) {
            digest += SampleSetDigest(
                ids: IntervalDigest(count: 1, high: highs[place], low: lows[place]), content: contents[place])
        }
        return digest
    }
}
