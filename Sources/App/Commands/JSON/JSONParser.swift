import Foundation

/// A strict JSON parser (RFC 8259) that records the location of every value.
struct JSONParser {
    /// The maximum nesting depth of values.
    private static let maximumDepth = 128

    private let bytes: [UInt8]
    private var position: Int
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Skip the byte order mark that some editors write.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Parses the document in `bytes`, encoded as UTF-8.
    static func document(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONElement {
        var parser = JSONParser(bytes)
        if let offset = parser.firstOffsetOutsideUTF8 {
            throw parser.fault("not UTF-8", advice: "save the file as UTF-8", at: offset)
        }
        parser.skipSpace()
        guard parser.next != nil else { throw parser.fault("empty file", advice: "write {} or remove the file") }
        let root = try parser.value()
        parser.skipSpace()
        guard parser.next == nil else { throw parser.unexpected("the end", advice: "remove what follows") }
        return root
    }

    /// The byte at the position; `nil` at the end.
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONElement {
        let start = position
        let content: JSONElement.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try nested { parser throws(JSONSyntaxError) in try parser.members() })
        case UInt8(ascii: "["): content = .array(try nested { parser throws(JSONSyntaxError) in try parser.elements() })
        case UInt8(ascii: "\""): content = .string(try text())
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): content = try number()
        case let byte? where Self.isLetter(byte): content = try word()
        default: throw unexpected("a value", advice: "put text into quotation marks \"…\"")
        }
        return JSONElement(content: content, offset: start)
    }

    private mutating func nested<Parts>(
        _ parts: (inout JSONParser) throws(JSONSyntaxError) -> Parts
    ) throws(JSONSyntaxError) -> Parts {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw fault("values are nested too deeply", advice: "use at most \(Self.maximumDepth) levels")
        }
        defer { depth -= 1 }
        position += 1
        return try parts(&self)
    }

    private mutating func members() throws(JSONSyntaxError) -> [JSONElement.Member] {
        var members: [JSONElement.Member] = []
        while try hasPart(before: "}", first: members.isEmpty) {
            let start = position
            guard next == UInt8(ascii: "\"") else {
                throw unexpected("a key", advice: "put keys into quotation marks \"…\"")
            }
            let name = try text()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw unexpected("\":\"", advice: "put a colon after the key") }
            position += 1
            skipSpace()
            members.append(JSONElement.Member(name: name, offset: start, value: try value()))
        }
        return members
    }

    private mutating func elements() throws(JSONSyntaxError) -> [JSONElement] {
        var elements: [JSONElement] = []
        while try hasPart(before: "]", first: elements.isEmpty) { elements.append(try value()) }
        return elements
    }

    /// Advances to the next part and returns `true`, or skips `bracket` and returns `false`.
    private mutating func hasPart(before bracket: Unicode.Scalar, first: Bool) throws(JSONSyntaxError) -> Bool {
        skipSpace()
        if next == UInt8(ascii: bracket) {
            position += 1
            return false
        }
        guard !first else { return true }
        guard next == UInt8(ascii: ",") else {
            throw unexpected("\",\" or \"\(bracket)\"", advice: "put a comma between two values")
        }
        let comma = position
        position += 1
        skipSpace()
        guard next != UInt8(ascii: bracket) else {
            throw fault("trailing comma before \"\(bracket)\"", advice: "remove the comma", at: comma)
        }
        return true
    }

    private mutating func word() throws(JSONSyntaxError) -> JSONElement.Content {
        let start = position
        while let byte = next, Self.isLetter(byte) { position += 1 }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case let other:
            let suggestion = Suggestion.nearest(to: other, among: ["true", "false", "null"])
            throw fault(
                "unknown value \"\(other)\"",
                advice: suggestion.map { "did you mean \($0)?" } ?? "put text into quotation marks \"…\"", at: start)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}

extension JSONParser {
    /// Parses the string that begins at the position, and resolves its escapes.
    private mutating func text() throws(JSONSyntaxError) -> String {
        let start = position
        var scalars = String.UnicodeScalarView()
        position += 1
        var plainStart = position
        while let byte = next, byte != 0x0A, byte != 0x0D {
            guard byte >= 0x20 else {
                throw fault("control character in a string", advice: "write it as \\t or \\u and four digits")
            }
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            scalars += String(decoding: bytes[plainStart..<position], as: UTF8.self).unicodeScalars
            position += 1
            if byte == UInt8(ascii: "\"") { return String(scalars) }
            scalars.append(try escaped())
            plainStart = position
        }
        throw fault("unterminated string", advice: "add the closing quotation mark on the same line", at: start)
    }

    /// Parses the rest of an escape whose backslash was consumed.
    private mutating func escaped() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position - 1
        let letter = next
        position += 1
        let simple: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        if let scalar = letter.flatMap({ simple[$0] }) { return scalar }
        let unknown = fault("unknown escape", advice: "write a backslash as \\\\", at: start)
        guard letter == UInt8(ascii: "u"), let unit = hexUnit() else { throw unknown }
        if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
        guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: Array("\\u".utf8)) else { throw unknown }
        position += 2
        guard let trail = hexUnit(), UTF16.isTrailSurrogate(trail) else { throw unknown }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func hexUnit() -> UInt16? {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        position += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// Parses the number at the position. A whole number that fits in 64 bits becomes an integer.
    private mutating func number() throws(JSONSyntaxError) -> JSONElement.Content {
        let start = position
        while let byte = next, Self.isDigit(byte) || Self.isLetter(byte) || [0x2B, 0x2D, 0x2E].contains(byte) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil,
            let number = Double(text), number.isFinite
        else {
            throw fault(
                "invalid number \"\(text)\"", advice: "write it as 12 or 0.5, or put text into quotation marks",
                at: start)
        }
        return (Int64(text) ?? Int64(exactly: number)).map { .integer($0) } ?? .number(number)
    }

    private func fault(_ reason: String, advice: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset ?? position, reason: reason, advice: advice)
    }

    /// Returns an error about what is at the position instead of `expected`.
    private func unexpected(_ expected: String, advice: String) -> JSONSyntaxError {
        guard let next else { return fault("unexpected end; expected \(expected)", advice: "complete the document") }
        let rest = bytes[position...]
        if next == UInt8(ascii: "#") || rest.starts(with: Array("//".utf8)) || rest.starts(with: Array("/*".utf8)) {
            return fault("JSON has no comments", advice: "remove the comment")
        }
        let character = String(decoding: rest.prefix(64), as: UTF8.self).first ?? "?"
        if "'‘’“”„«»".contains(character) {
            return fault("expected \(expected), not \(character)", advice: "use plain quotation marks \"…\"")
        }
        return fault("expected \(expected)", advice: advice)
    }

    /// The offset of the first byte that is not valid UTF-8; `nil` if all are.
    private var firstOffsetOutsideUTF8: Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}

/// A syntax error in a JSON document.
struct JSONSyntaxError: Error {
    /// Byte offset from the start of the document.
    let offset: Int
    let reason: String
    let advice: String
}

/// A value of a JSON document with its location.
struct JSONElement: Sendable {
    /// The content of a value, with the locations of its elements.
    enum Content: Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        case array([JSONElement])
        /// Members in document order; names may repeat.
        case object([Member])
    }

    /// A name, its location and its value.
    struct Member: Sendable {
        let name: String
        let offset: Int
        let value: JSONElement
    }

    let content: Content
    /// Byte offset from the start of the document.
    let offset: Int

    /// The kind of value for error messages: `text`, `a number`.
    var kind: String {
        switch content {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
