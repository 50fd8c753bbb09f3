/// The pieces of a day, ordered by start, for finding the measured amount of an interval.
struct PieceIndex {
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
