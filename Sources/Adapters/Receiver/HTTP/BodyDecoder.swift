import HealthSyncDomain

/// Separates the body of a request from the bytes that follow it.
struct BodyDecoder {
    /// What the next bytes are.
    enum Step: Equatable {
        /// More bytes must arrive first.
        case incomplete
        /// A piece of the body at these positions; the next step starts at their end.
        case piece(Range<Int>)
        /// The body ended before this position.
        case end(Int)
        case invalid(String)
    }

    private enum State {
        /// Bytes of the body, or of a chunk, are missing.
        case data(Int)
        case chunkSize
        case chunkEnd
        case trailer
        case ended
    }

    let isChunked: Bool
    private var state: State
    private var trailerBytes = 0

    private static let largestSizeLine = 256
    private static let largestTrailer = 8 << 10

    /// The decoder of the body that follows `head`, whose framing is valid (`FramingCheck`).
    init(_ head: RequestHead) {
        isChunked = head.value("transfer-encoding") != nil
        state = isChunked ? .chunkSize : .data(head.contentLength ?? 0)
    }

    /// Whether the request has no body.
    var isEmpty: Bool { if case .data(0) = state { !isChunked } else { false } }

    /// Whether the whole body was decoded.
    var isAtEnd: Bool { if case .ended = state { true } else { false } }

    /// Decodes the bytes of `input` from `start` on. Advances `start` past those that are not part of the body.
    mutating func next(_ input: [UInt8], from start: inout Int) -> Step {
        while true {
            let available = input.count - start
            switch state {
            case .data(0) where isChunked: state = .chunkEnd
            case .data(0), .ended:
                state = .ended
                return .end(start)
            case .data(let missing):
                guard available > 0 else { return .incomplete }
                let count = min(missing, available)
                state = .data(missing - count)
                return .piece(start..<start + count)
            case .chunkEnd:
                guard available >= 2 else { return .incomplete }
                guard input[start] == 0x0D, input[start + 1] == 0x0A else {
                    return .invalid("a chunk does not end with CR LF")
                }
                start += 2
                state = .chunkSize
            case .chunkSize, .trailer:
                switch Self.line(input, from: start, atMost: lineLimit) {
                case .success(nil): return .incomplete
                case .success(let line?):
                    start = line.endIndex + 2
                    if let reason = read(line) { return .invalid(reason) }
                case .failure(let failure): return .invalid(failure.reason)
                }
            }
        }
    }

    private var lineLimit: Int {
        if case .trailer = state { Self.largestTrailer - trailerBytes } else { Self.largestSizeLine }
    }

    /// Reads the size of a chunk or a line of the trailer, which is validated and ignored. Returns why it is invalid.
    private mutating func read(_ line: ArraySlice<UInt8>) -> String? {
        guard case .trailer = state else {
            guard let size = Self.size(line) else { return "the size of a chunk is invalid" }
            state = size == 0 ? .trailer : .data(size)
            return nil
        }
        trailerBytes += line.count + 2
        guard !line.isEmpty else {
            state = .ended
            return nil
        }
        return HeadParser.header(line) == nil ? "a line of the trailer is not a name, a colon and a value" : nil
    }

    /// Parses hexadecimal digits, which an extension may follow.
    private static func size(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix { $0 != 0x3B }
        guard (1...15).contains(digits.count) else { return nil }
        var size = 0
        for digit in digits {
            guard let value = HexDigits.value(digit) else { return nil }
            size = size << 4 | Int(value)
        }
        return size
    }

    private struct Failure: Error { let reason: String }

    /// Returns the line at `start` without its CR LF, or `nil` if its end is missing.
    private static func line(
        _ input: [UInt8], from start: Int, atMost limit: Int
    ) -> Result<ArraySlice<UInt8>?, Failure> {
        var index = start
        while index < input.count {
            let byte = input[index]
            if byte == 0x0D {
                guard index + 1 < input.count else { return .success(nil) }
                guard input[index + 1] == 0x0A else { return .failure(Failure(reason: "a line ends with CR alone")) }
                return .success(input[start..<index])
            }
            guard byte == 0x09 || (byte >= 0x20 && byte != 0x7F) else {
                return .failure(Failure(reason: "the framing of the chunks contains control characters"))
            }
            index += 1
            guard index - start <= limit else {
                return .failure(Failure(reason: "a line of the chunks' framing is too long"))
            }
        }
        return .success(nil)
    }
}

/// Finds requests whose framing two parsers could read in two ways (RFC 9112, section 11.2). `HeadParser` has validated
/// each line; this checks the lines together.
package enum FramingCheck {
    /// Returns why the request is invalid, or `nil` if it is valid. An invalid request gets a 400 response and its
    /// connection is closed.
    package static func error(in head: RequestHead) -> String? {
        for name in [
            "host", "content-length", "transfer-encoding", "authorization", "content-type", "content-encoding",
        ]
        where head.values(name).count > 1 {
            return "more than one \(name) header"
        }
        let host = head.value("host") ?? ""
        guard host.isEmpty ? head.version == "HTTP/1.0" : Authority.isValid(host) else {
            return host.isEmpty ? "the host header is missing" : "the host header is not a host and a port"
        }
        return lengthError(in: head)
    }

    private static func lengthError(in head: RequestHead) -> String? {
        if let encoding = head.value("transfer-encoding") {
            guard encoding.equalsIgnoringASCIICase("chunked") else { return "transfer-encoding must be chunked" }
            if head.value("content-length") != nil { return "both content-length and transfer-encoding" }
            if head.version == "HTTP/1.0" { return "transfer-encoding requires HTTP/1.1" }
        }
        if let length = head.value("content-length"),
            !(1...18).contains(length.utf8.count) || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            return "content-length is not a number"
        }
        return nil
    }
}
