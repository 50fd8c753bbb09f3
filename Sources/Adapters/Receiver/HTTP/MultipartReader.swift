import Foundation
import HealthSyncDomain

/// Reads a `multipart/form-data` body (RFC 7578) in pieces of any size. Keeps only the end of a piece in which a delimiter may
/// begin, so that memory does not grow with a file.
struct MultipartReader {
    /// What the bytes contain.
    enum Event {
        /// A part begins: its field, and the name of its file, which is `nil` for a field without one.
        case part(name: String, file: String?)
        /// Bytes of the part.
        case bytes(ArraySlice<UInt8>)
        /// The part is complete.
        case partEnd
    }

    private enum State {
        case preamble
        case afterDelimiter
        case head
        case content
        case ended
    }

    private let delimiter: [UInt8]
    private var state = State.preamble
    // As if a line preceded the body, whose first delimiter has no line end of its own.
    private var rest: [UInt8] = [0x0D, 0x0A]

    /// The longest head of a part, and the longest text before the first one, in bytes.
    private static let longestHead = 8 << 10
    /// The longest boundary in bytes (RFC 2046, section 5.1.1).
    private static let longestBoundary = 70

    /// Creates a reader for the value of a header `Content-Type`; `nil` unless it is `multipart/form-data` with a boundary.
    init?(contentType: String) {
        let parts = Self.parameters(of: contentType)
        guard parts.first?.value.equalsIgnoringASCIICase("multipart/form-data") == true,
            let boundary = parts.first(where: { $0.name == "boundary" })?.value,
            (1...Self.longestBoundary).contains(boundary.utf8.count)
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Whether the last delimiter was read.
    var isAtEnd: Bool { state == .ended }

    /// Reads a piece. Returns why the body is invalid, or `nil`.
    mutating func read<Failure: Error>(
        _ piece: UnsafeRawBufferPointer, _ receive: (Event) throws(Failure) -> Void
    ) throws(Failure) -> String? {
        unsafe rest.append(contentsOf: piece)
        while true {
            switch state {
            case .preamble, .content:
                let isContent = state == .content
                guard let place = position(of: delimiter) else {
                    // The delimiter may begin in what is kept.
                    let count = max(0, rest.count - delimiter.count + 1)
                    if isContent, count > 0 { try receive(.bytes(rest[..<count])) }
                    if !isContent, rest.count > Self.longestHead { return "the form has no boundary" }
                    if isContent { rest.removeFirst(count) }
                    return nil
                }
                if isContent {
                    if place > 0 { try receive(.bytes(rest[..<place])) }
                    try receive(.partEnd)
                }
                rest.removeFirst(place + delimiter.count)
                state = .afterDelimiter
            case .afterDelimiter:
                guard rest.count >= 2 else { return nil }
                let next = (rest[0], rest[1])
                switch next {
                case (0x2D, 0x2D): state = .ended
                case (0x0D, 0x0A): state = .head
                default: return "a boundary of the form is not a line"
                }
            case .head:
                // The line end of the delimiter is the first one of an empty head.
                guard let end = position(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
                    return rest.count > Self.longestHead ? "a part of the form has a long head" : nil
                }
                guard let part = Self.part(rest[2..<max(2, end)]) else { return "a part of the form has no name" }
                rest.removeFirst(end + 4)
                try receive(.part(name: part.name, file: part.file))
                state = .content
            case .ended:
                rest = []
                return nil
            }
        }
    }

    /// Returns the first position of `pattern`, which begins with CR. A file contains few of them.
    private func position(of pattern: [UInt8]) -> Int? {
        var start = 0
        while let place = rest[start...].firstIndex(of: 0x0D), rest.count - place >= pattern.count {
            if rest[place...].starts(with: pattern) { return place }
            start = place + 1
        }
        return nil
    }

    /// Returns the names in the header `Content-Disposition` of a part's head.
    private static func part(_ head: ArraySlice<UInt8>) -> (name: String, file: String?)? {
        guard let text = String(validating: head, as: UTF8.self) else { return nil }
        for line in text.parts(separatedBy: "\n") {
            let line = line.utf8.last == 0x0D ? line[..<line.utf8.index(before: line.utf8.endIndex)] : line
            let sides = line.parts(separatedBy: ":", maxSplits: 1)
            guard sides.count == 2, sides[0].equalsIgnoringASCIICase("content-disposition") else { continue }
            let parameters = parameters(of: sides[1])
            guard parameters.first?.value.equalsIgnoringASCIICase("form-data") == true,
                let name = parameters.first(where: { $0.name == "name" })?.value
            else { return nil }
            return (name, parameters.first { $0.name == "filename" }?.value)
        }
        return nil
    }

    /// Returns the value of a header without a name, and its parameters, whose values may be in quotation marks. Browsers
    /// encode a quotation mark in a name as `%22` and leave backslashes as they are (WHATWG HTML, multipart form data).
    private static func parameters(of header: some StringProtocol) -> [(name: String, value: String)] {
        var parts: [(name: String, value: String)] = []
        var rest = Array(header.utf8)[...]
        while !rest.isEmpty {
            var isQuoted = false
            let end =
                rest.firstIndex { byte in
                    if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                    return byte == UInt8(ascii: ";") && !isQuoted
                } ?? rest.endIndex
            let text = String(decoding: rest[..<end], as: UTF8.self)
            let sides = text.parts(separatedBy: "=", maxSplits: 1).map { String($0.withoutOuterBlanks) }
            var value = Array((sides.last ?? "").utf8)
            if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
                value = value.dropFirst().dropLast()
            }
            parts.append(
                (sides.count == 2 ? sides[0].asciiLowercased : "", String(decoding: value, as: UTF8.self)))
            rest = rest[end...].dropFirst()
        }
        return parts
    }
}
