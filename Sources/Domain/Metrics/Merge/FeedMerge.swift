/// The part of a feed's sum on one day.
struct FeedPart {
    let part: DayPart
    /// The rank of its origin by priority.
    let rank: Int
    /// The index of its source name.
    let name: Int
    /// The index of the tally of its zone.
    let tally: Int

    /// 0 for a bucket of a minute, 1 for an hour, 2 for a longer bucket.
    var coarseness: Int {
        switch part.end - part.start {
        case ...60_000: 0
        case ...3_600_000: 1
        default: 2
        }
    }
}

/// Compares the sums of feeds with the merged amounts: for each bucket the larger one counts.
struct FeedMerge {
    private var parts: [[FeedPart]]

    init(days: DayRange) { parts = [[FeedPart]](repeating: [], count: days.count) }

    mutating func add(_ new: [FeedPart]) {
        for part in new { parts[part.part.day].append(part) }
    }

    /// Counts the excess of the buckets over the samples in `run`.
    func settle(into run: inout MergeRun) {
        for day in parts.indices where !parts[day].isEmpty {
            let measured = run.tallies.flatMap { $0.pieces[day] }
            for addition in Self.additions(of: parts[day], to: measured) {
                let piece = addition.piece
                run.count(piece.amount, from: piece.start, to: piece.end, tally: addition.tally)
            }
            for rank in Set(parts[day].map(\.rank)).sorted() {
                let own = parts[day].filter { $0.rank == rank }
                let total = Self.additions(of: own, to: []).reduce(0) { $0 + $1.piece.amount }
                run.addOwn(total, name: own[0].name, day: day)
            }
        }
    }

    private typealias Addition = (piece: MergedPiece, tally: Int)

    /// Returns the excess of `parts`, all of one day, over `measured`.
    private static func additions(of parts: [FeedPart], to measured: [MergedPiece]) -> [Addition] {
        var rest = parts.sorted {
            ($0.coarseness, $0.rank, $0.part.start, $0.part.end, $1.part.amount)
                < ($1.coarseness, $1.rank, $1.part.start, $1.part.end, $0.part.amount)
        }
        var pieces = measured
        var result: [Addition] = []
        while let first = rest.first {
            // One pass takes buckets of one feed and coarseness that do not overlap, so that none is compared with the
            // additions of another. A repeated bucket waits for the next pass and counts only its excess.
            let known = PieceIndex(pieces)
            var later: [FeedPart] = []
            var lastEnd = Int64.min
            for candidate in rest {
                let part = candidate.part
                guard candidate.coarseness == first.coarseness, candidate.rank == first.rank, part.start >= lastEnd
                else {
                    later.append(candidate)
                    continue
                }
                lastEnd = max(part.end, part.start + 1)
                for piece in known.additions(for: part) {
                    result.append((piece, candidate.tally))
                    pieces.append(piece)
                }
            }
            rest = later
        }
        return result
    }
}

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

/// The pieces of a day, ordered by start, for finding the measured amount of an interval.
private struct PieceIndex {
    private let pieces: [MergedPiece]
    /// For each piece, the latest end of the pieces up to it.
    private let latestEnds: [Int64]

    init(_ pieces: [MergedPiece]) {
        self.pieces = pieces.sorted { ($0.start, $0.end, $0.amount) < ($1.start, $1.end, $1.amount) }
        var latest = Int64.min
        latestEnds = self.pieces.map { piece in
            latest = max(latest, piece.end)
            return latest
        }
    }

    /// Returns the excess of the bucket `part` over the amount measured in it, assigned to the time without measurements, or to
    /// the whole bucket if all of it was measured.
    func additions(for part: DayPart) -> [MergedPiece] {
        let touching = pieces(touching: part)
        if part.start == part.end {
            return touching.isEmpty ? [MergedPiece(start: part.start, end: part.end, amount: part.amount)] : []
        }
        let excess = part.amount - touching.reduce(0) { $0 + Self.amount(of: $1, in: part) }
        // A billionth is a rounding error of the sums. It would mark every hour of the bucket as measured.
        if excess <= part.amount.magnitude * 1e-9, !touching.isEmpty { return [] }
        var covered = Coverage()
        for piece in touching where piece.start < piece.end { covered.append(piece.start, piece.end) }
        var gaps: [(start: Int64, end: Int64)] = []
        covered.forEachGap(from: part.start, to: part.end, startingAt: 0) { gaps.append(($0, $1)) }
        if gaps.isEmpty {
            return [MergedPiece(start: part.start, end: part.end, amount: excess)]
        }
        let length = gaps.reduce(0) { $0 + $1.end - $1.start }
        return gaps.map { gap in
            MergedPiece(
                start: gap.start, end: gap.end,
                amount: excess * (Double(gap.end - gap.start) / Double(length)))
        }
    }

    /// Returns the pieces that overlap `part`, instants included, ascending by start.
    private func pieces(touching part: DayPart) -> [MergedPiece] {
        let end = max(part.end, part.start + 1)
        var low = pieces.partitionPoint { $0.start < end }
        var found: [MergedPiece] = []
        while low > 0, latestEnds[low - 1] >= part.start {
            low -= 1
            let piece = pieces[low]
            if piece.end > part.start || piece.start == part.start { found.append(piece) }
        }
        return found.reversed()
    }

    private static func amount(of piece: MergedPiece, in part: DayPart) -> Double {
        guard piece.start < piece.end else { return piece.amount }
        let shared = min(piece.end, part.end) - max(piece.start, part.start)
        return piece.amount * (Double(max(0, shared)) / Double(piece.end - piece.start))
    }
}
