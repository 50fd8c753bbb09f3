/// The part of a feed's sum that falls on one day.
struct FeedPart {
    let part: DayPart
    /// Place of its origin in the order of priority.
    let rank: Int
    /// Index of its source's name.
    let name: Int
    /// Index of the tally of its zone.
    let tally: Int

    /// 0 for a bucket of a minute, 1 for one of an hour, 2 for a longer one.
    var coarseness: Int {
        switch part.end - part.start {
        case ...60_000: 0
        case ...3_600_000: 1
        default: 2
        }
    }
}

/// Compares the sums that feeds made with what is merged already: per bucket the larger counts.
struct FeedMerge {
    private var parts: [[FeedPart]]

    init(days: DayRange) { parts = [[FeedPart]](repeating: [], count: days.count) }

    mutating func add(_ new: [FeedPart]) {
        for part in new { parts[part.part.day].append(part) }
    }

    /// Counts in `run` what the buckets have more than the samples.
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

    /// What `parts`, all of one day, have more than `measured`.
    private static func additions(of parts: [FeedPart], to measured: [MergedPiece]) -> [Addition] {
        var rest = parts.sorted {
            ($0.coarseness, $0.rank, $0.part.start, $0.part.end, $1.part.amount)
                < ($1.coarseness, $1.rank, $1.part.start, $1.part.end, $0.part.amount)
        }
        var pieces = measured
        var result: [Addition] = []
        while let first = rest.first {
            // One pass takes buckets of one feed and coarseness that do not overlap, so that they cannot meet each
            // other's additions; a bucket stated again waits for the next pass and counts only what it has more.
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
