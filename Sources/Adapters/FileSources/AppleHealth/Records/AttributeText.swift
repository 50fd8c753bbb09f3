/// The text of an attribute value: white space and line ends normalized, references resolved (XML 1.0, sections 2.11,
/// 3.3.3 and 4.1), and illegal characters replaced by U+FFFD and reported.
struct AttributeText {
    /// The text, UTF-8 if the file is.
    private(set) var bytes: [UInt8] = []
    /// The faults of the text.
    private(set) var faults: AttributeFaults = []

    /// Decodes the raw bytes of `range`.
    init(_ window: ByteWindow, _ range: ByteRange) {
        bytes.reserveCapacity(range.count)
        var index = range.start
        while index < range.end {
            let byte = window[index]
            switch byte {
            case 0x26:
                index = appendReference(window, index, range.end)
                continue
            case 0x0D:
                bytes.append(0x20)
                if index + 1 < range.end, window[index + 1] == 0x0A { index += 1 }
            case 0x09, 0x0A:
                bytes.append(0x20)
            case 0x00..<0x20:
                faults.insert(.controlCharacter)
                append(scalar: 0xFFFD)
            default:
                if byte == 0x3C { faults.insert(.unescaped) }
                bytes.append(byte)
            }
            index += 1
        }
        if String(validating: bytes, as: UTF8.self) == nil { faults.insert(.notUTF8) }
    }

    /// The text; invalid UTF-8 is replaced by U+FFFD.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns whether raw bytes may differ from their text or be faulty.
    static func needsCare(_ window: ByteWindow, _ range: ByteRange) -> Bool {
        var index = range.start
        while index < range.end {
            var eight = window.word(index)
            let left = range.end - index
            // Bytes after the value are replaced by letters.
            if left < 8 {
                let kept = (UInt64(1) << UInt64(left * 8)) &- 1
                eight = eight & kept | 0x4141_4141_4141_4141 & ~kept
            }
            let controls = (eight &- ByteWindow.ones &* 0x20) & ~eight & ByteWindow.highBits
            let ampersands = ByteWindow.zeroBytes(eight ^ (ByteWindow.ones &* 0x26))
            let brackets = ByteWindow.zeroBytes(eight ^ (ByteWindow.ones &* 0x3C))
            if controls | ampersands | brackets | eight & ByteWindow.highBits != 0 { return true }
            index += 8
        }
        return false
    }

    /// Returns whether a value contains references, line ends or tabs, so that its text differs from its bytes.
    static func isRewritten(_ window: ByteWindow, _ range: ByteRange) -> Bool {
        (range.start..<range.end).contains { [0x26, 0x09, 0x0A, 0x0D].contains(window[$0]) }
    }

    /// Appends the character of the reference at `start` and returns the index after it.
    private mutating func appendReference(_ window: ByteWindow, _ start: Int, _ end: Int) -> Int {
        var semicolon = start + 1
        while semicolon < end, semicolon - start < 32, window[semicolon] != 0x3B { semicolon += 1 }
        guard semicolon < end, window[semicolon] == 0x3B else { return appendAmpersand(start) }
        if window[start + 1] == 0x23 {
            if let scalar = Self.number(window, start + 2, semicolon) {
                append(scalar: scalar)
            } else {
                faults.insert(.illegalReference)
                append(scalar: 0xFFFD)
            }
            return semicolon + 1
        }
        guard let character = Self.named(window, start + 1, semicolon) else { return appendAmpersand(start) }
        bytes.append(character)
        return semicolon + 1
    }

    private mutating func appendAmpersand(_ index: Int) -> Int {
        faults.insert(.unescaped)
        bytes.append(0x26)
        return index + 1
    }

    private mutating func append(scalar value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private static func named(_ window: ByteWindow, _ start: Int, _ end: Int) -> UInt8? {
        var name: UInt64 = 0
        guard end - start <= 4 else { return nil }
        for index in start..<end { name = name << 8 | UInt64(window[index]) }
        switch name {
        case 0x6C74: return 0x3C  // lt
        case 0x6774: return 0x3E  // gt
        case 0x61_6D70: return 0x26  // amp
        case 0x7175_6F74: return 0x22  // quot
        case 0x6170_6F73: return 0x27  // apos
        default: return nil
        }
    }

    /// Returns the scalar of `&#183;` or `&#xB7;` if XML 1.0 allows it.
    private static func number(_ window: ByteWindow, _ start: Int, _ end: Int) -> UInt32? {
        let isHexadecimal = window[start] == 0x78
        var value: UInt32 = 0
        let first = isHexadecimal ? start + 1 : start
        guard first < end else { return nil }
        for index in first..<end {
            guard let digit = digit(window[index], isHexadecimal: isHexadecimal), value <= 0x10FFFF else { return nil }
            value = value * (isHexadecimal ? 16 : 10) + digit
        }
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return value
        default: return nil
        }
    }

    private static func digit(_ byte: UInt8, isHexadecimal: Bool) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46 where isHexadecimal: UInt32(byte - 0x37)
        case 0x61...0x66 where isHexadecimal: UInt32(byte - 0x57)
        default: nil
        }
    }
}

/// Tolerated faults in the text of a record that was used nevertheless.
struct AttributeFaults: OptionSet, Hashable {
    let rawValue: UInt8

    /// A reference to a character that is illegal in XML.
    fileprivate static let illegalReference = AttributeFaults(rawValue: 1)
    /// A control character in a value.
    fileprivate static let controlCharacter = AttributeFaults(rawValue: 2)
    /// Bytes that are not UTF-8.
    fileprivate static let notUTF8 = AttributeFaults(rawValue: 4)
    /// An unescaped `<` or `&`.
    static let unescaped = AttributeFaults(rawValue: 8)
    /// An attribute name with a space in it.
    static let spacedName = AttributeFaults(rawValue: 16)
    /// An attribute written twice with the same value.
    static let writtenTwice = AttributeFaults(rawValue: 32)
    /// Two attributes without a space between them.
    static let missingSpace = AttributeFaults(rawValue: 64)

    /// A description of each fault, for the account.
    var descriptions: [String] {
        let phrases: [(AttributeFaults, String)] = [
            (.illegalReference, "reference to an illegal character"),
            (.controlCharacter, "control character in a value"),
            (.notUTF8, "bytes that are not UTF-8"), (.unescaped, "unescaped < or & in a value"),
            (.spacedName, "space in an attribute name"), (.writtenTwice, "attribute written twice"),
            (.missingSpace, "no space between attributes"),
        ]
        return phrases.filter { contains($0.0) }.map(\.1)
    }
}
