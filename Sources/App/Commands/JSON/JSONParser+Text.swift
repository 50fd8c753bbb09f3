import Foundation

extension JSONParser {
    /// Parses the string that begins at the position, and resolves its escapes.
    mutating func text() throws(JSONSyntaxError) -> String {
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
    mutating func number() throws(JSONSyntaxError) -> JSONElement.Content {
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

    func fault(_ reason: String, advice: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset ?? position, reason: reason, advice: advice)
    }

    /// Returns an error about what is at the position instead of `expected`.
    func unexpected(_ expected: String, advice: String) -> JSONSyntaxError {
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
