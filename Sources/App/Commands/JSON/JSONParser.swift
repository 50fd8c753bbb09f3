/// Reads a JSON document strictly (RFC 8259) and remembers where everything stands.
struct JSONParser {
    /// Levels that values may be nested.
    private static let deepest = 128

    let bytes: [UInt8]
    var position: Int
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark, which some editors write.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The document in `bytes`, which are UTF-8.
    static func document(_ bytes: [UInt8]) throws(JSONFault) -> JSONElement {
        var parser = JSONParser(bytes)
        if let offset = parser.firstOffsetOutsideUTF8 {
            throw parser.fault("it is not UTF-8 text", advice: "save it as UTF-8", at: offset)
        }
        parser.skipSpace()
        guard parser.next != nil else { throw parser.fault("it is empty", advice: "write {} or remove the file") }
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

    mutating func value() throws(JSONFault) -> JSONElement {
        let start = position
        let content: JSONElement.Content
        switch next {
        case UInt8(ascii: "{"): content = .object(try nested { parser throws(JSONFault) in try parser.members() })
        case UInt8(ascii: "["): content = .array(try nested { parser throws(JSONFault) in try parser.elements() })
        case UInt8(ascii: "\""): content = .string(try text())
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): content = try number()
        case let byte? where Self.isLetter(byte): content = try word()
        default: throw unexpected("a value", advice: "text stands in quotation marks \"…\"")
        }
        return JSONElement(content: content, offset: start)
    }

    private mutating func nested<Parts>(
        _ parts: (inout JSONParser) throws(JSONFault) -> Parts
    ) throws(JSONFault) -> Parts {
        depth += 1
        guard depth <= Self.deepest else { throw fault("values are nested too deeply", advice: "take a level away") }
        defer { depth -= 1 }
        position += 1
        return try parts(&self)
    }

    private mutating func members() throws(JSONFault) -> [JSONElement.Member] {
        var members: [JSONElement.Member] = []
        while try hasPart(before: "}", first: members.isEmpty) {
            let start = position
            guard next == UInt8(ascii: "\"") else {
                throw unexpected("a key", advice: "keys stand in quotation marks \"…\"")
            }
            let name = try text()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw unexpected("\":\"", advice: "put a colon behind the key") }
            position += 1
            skipSpace()
            members.append(JSONElement.Member(name: name, offset: start, value: try value()))
        }
        return members
    }

    private mutating func elements() throws(JSONFault) -> [JSONElement] {
        var elements: [JSONElement] = []
        while try hasPart(before: "]", first: elements.isEmpty) { elements.append(try value()) }
        return elements
    }

    /// Whether another part stands before `bracket`; moves to it, or behind the bracket.
    private mutating func hasPart(before bracket: Unicode.Scalar, first: Bool) throws(JSONFault) -> Bool {
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
            throw fault("a comma before \"\(bracket)\"", advice: "remove the comma", at: comma)
        }
        return true
    }

    private mutating func word() throws(JSONFault) -> JSONElement.Content {
        let start = position
        while let byte = next, Self.isLetter(byte) { position += 1 }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case let other:
            let meant = Suggestion.nearest(to: other, among: ["true", "false", "null"])
            throw fault(
                "\"\(other)\" is no value",
                advice: meant.map { "did you mean \($0)?" } ?? "text stands in quotation marks \"…\"", at: start)
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
}
