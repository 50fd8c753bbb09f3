/// The division of a walk into samples by a device.
enum WalkPieces {
    struct Piece {
        var span: Span
        var amount: Int64
    }

    /// Divides a walk like the watch, which begins and ends with the walk and writes a sample every one to five
    /// minutes.
    static func watch(_ walk: Walk, total: Int64, _ stream: inout SeededStream) -> [Piece] {
        cut(walk.span, into: 60, 300, total: total, &stream)
    }

    /// Divides a walk like the phone, which detects a walk late, ends early, and writes a sample every five to ten
    /// minutes. Occasionally it continues for a minute or two after the walk.
    static func phone(_ walk: Walk, total: Int64, _ stream: inout SeededStream) -> [Piece] {
        let most = walk.span.seconds / 4
        let late = min(stream.whole(-2, 14), most)
        let early = min(stream.whole(-2, 14), most)
        let lingering = stream.chance(0.01) ? stream.whole(45, 120) : 0
        let span = Span(start: walk.span.start + late, end: walk.span.end - early + lingering)
        return cut(span, into: 300, 600, total: total, &stream)
    }

    private static func cut(
        _ span: Span, into shortest: Int64, _ longest: Int64, total: Int64, _ stream: inout SeededStream
    ) -> [Piece] {
        var pieces: [Piece] = []
        var start = span.start
        var given: Int64 = 0
        while start < span.end {
            var end = min(start + stream.whole(shortest, longest), span.end)
            if span.end - end < 20 { end = span.end }
            let due = total * (end - span.start) / span.seconds
            if due > given { pieces.append(Piece(span: Span(start: start, end: end), amount: due - given)) }
            given = due
            start = end
        }
        return pieces
    }
}
