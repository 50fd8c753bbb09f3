import Foundation

extension JSONParser {
    /// The text whose first quotation mark stands at the position, escapes resolved.
    mutating func text() throws(JSONFault) -> String {
        let start = position
        var scalars = String.UnicodeScalarView()
        position += 1
        var plainStart = position
        while let byte = next, byte != 0x0A, byte != 0x0D {
            guard byte >= 0x20 else {
                throw fault("a control character within a text", advice: "write it as \\t or \\u and four digits")
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
        throw fault("a text without its closing quotation mark", advice: "close it on the same line", at: start)
    }

    /// The character of an escape whose backslash was read.
    private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
        let start = position - 1
        let letter = next
        position += 1
        let simple: [UInt8: Unicode.Scalar] = [
            UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
            UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
        ]
        if let scalar = letter.flatMap({ simple[$0] }) { return scalar }
        let unknown = fault("an escape that JSON does not know", advice: "write a backslash as \\\\", at: start)
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

    /// The number that begins at the position. One without a fraction that fits is an integer.
    mutating func number() throws(JSONFault) -> JSONElement.Content {
        let start = position
        while let byte = next, Self.isDigit(byte) || Self.isLetter(byte) || [0x2B, 0x2D, 0x2E].contains(byte) {
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil,
            let number = Double(text), number.isFinite
        else {
            throw fault(
                "\"\(text)\" is no number", advice: "write it as 12 or 0.5, or put text into quotation marks",
                at: start)
        }
        return (Int64(text) ?? Int64(exactly: number)).map { .integer($0) } ?? .number(number)
    }

    func fault(_ reason: String, advice: String, at offset: Int? = nil) -> JSONFault {
        JSONFault(offset: offset ?? position, reason: reason, advice: advice)
    }

    /// What stands at the position where `expected` should.
    func unexpected(_ expected: String, advice: String) -> JSONFault {
        guard let next else { return fault("it ends where \(expected) is expected", advice: "complete it") }
        let rest = bytes[position...]
        if next == UInt8(ascii: "#") || rest.starts(with: Array("//".utf8)) || rest.starts(with: Array("/*".utf8)) {
            return fault("a comment, which JSON does not have", advice: "remove it")
        }
        let character = String(decoding: rest.prefix(64), as: UTF8.self).first ?? "?"
        if "'‘’“”„«»".contains(character) {
            return fault("\(character) where \(expected) is expected", advice: "use plain quotation marks \"…\"")
        }
        return fault("\(expected) is expected here", advice: advice)
    }

    /// Where the first byte stands that no UTF-8 text has there; `nil` for UTF-8.
    var firstOffsetOutsideUTF8: Int? {
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
