/// Finds the end of a request's head in bytes that arrive in pieces, and rejects bytes that no head may contain. Lines end
/// with CR LF and nothing else, because programs that also accept other ends divide the same bytes into other requests.
struct HeadScanner {
    /// What was found.
    enum Outcome: Equatable {
        case incomplete
        /// The head, with the empty line at its end, has this many bytes.
        case complete(Int)
        case invalid(String)
    }

    private var previous: UInt8 = 0
    private var isLineEmpty = true
    private var lines = 0
    private var count = 0

    /// Continues with `bytes`, which contain everything from the start of the head.
    mutating func scan(_ bytes: ArraySlice<UInt8>) -> Outcome {
        while count < bytes.count {
            let byte = bytes[bytes.startIndex + count]
            count += 1
            if previous == 0x0D, byte != 0x0A { return .invalid("a line of the head ends with CR alone") }
            switch byte {
            case 0x0A:
                guard previous == 0x0D else { return .invalid("a line of the head ends with LF alone") }
                // One empty line before the request line is allowed (RFC 9112, section 2.2).
                if isLineEmpty, lines > 0 { return .complete(count) }
                lines += isLineEmpty ? 0 : 1
                if isLineEmpty, count > 2 { return .invalid("the request line is empty") }
                isLineEmpty = true
            case 0x0D: break
            case 0x09, 0x20...0x7E, 0x80...0xFF: isLineEmpty = false
            default: return .invalid("the head contains control characters")
            }
            previous = byte
        }
        return .incomplete
    }
}
