/// A strict JSON parser (RFC 8259) that records the location of every value.
struct JSONParser {
    /// The maximum nesting depth of values.
    private static let maximumDepth = 128

    let bytes: [UInt8]
    var position: Int
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
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    mutating func value() throws(JSONSyntaxError) -> JSONElement {
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

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
