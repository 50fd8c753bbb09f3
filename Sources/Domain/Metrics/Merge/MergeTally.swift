/// An amount that counts in an interval of one day.
struct MergedPiece {
    let start: Int64
    let end: Int64
    let amount: Double
}

/// The amounts that count in the hour buckets of one clock.
struct MergeTally {
    let grid: BucketGrid
    private(set) var amounts: [Double]
    private(set) var isMeasured: [Bool]
    /// The pieces by day; stored only if the sums of a feed must be compared with them.
    private(set) var pieces: [[MergedPiece]]

    init(grid: BucketGrid, keepsPieces: Bool) {
        self.grid = grid
        amounts = [Double](repeating: 0, count: grid.bucketCount)
        isMeasured = [Bool](repeating: false, count: grid.bucketCount)
        pieces = keepsPieces ? [[MergedPiece]](repeating: [], count: grid.days.count) : []
    }

    /// Distributes `amount` over `start..<end`, which must lie within one day and begin in `bucket`. An empty interval is an
    /// instant.
    @inline(__always)
    mutating func add(_ amount: Double, from start: Int64, to end: Int64, bucket: Int) {
        if !pieces.isEmpty {
            pieces[grid.dayOfBucket[bucket]].append(MergedPiece(start: start, end: end, amount: amount))
        }
        isMeasured[bucket] = true
        if end <= grid.bounds[bucket + 1] {
            amounts[bucket] += amount
            return
        }
        var bucket = bucket
        var low = start
        while low < end {
            let high = min(end, grid.bounds[bucket + 1])
            isMeasured[bucket] = true
            amounts[bucket] += amount * (Double(high - low) / Double(end - start))
            low = high
            bucket += 1
        }
    }
}
