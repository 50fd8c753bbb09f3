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
