/// Reads start tags attribute by attribute, in any order and with any quotes and spaces.
enum AttributeReader {
    /// Returns the next item of a start tag at `position`, after the element's name or an attribute.
    static func step(_ window: ByteWindow, _ position: Int) -> AttributeStep {
        let start = skipSpace(window, position)
        guard start < window.count else { return .needsMore }
        if window[start] == 0x3E { return .end(TagEnd(next: start + 1, isEmptyElement: false)) }
        if window[start] == 0x2F {
            guard start + 1 < window.count else { return .needsMore }
            return window[start + 1] == 0x3E ? .end(TagEnd(next: start + 2, isEmptyElement: true)) : .broken
        }
        var faults: AttributeFaults = start == position ? .missingSpace : []
        var nameEnd = skipName(window, start)
        guard nameEnd > start else { return .broken }
        var index = skipSpace(window, nameEnd)
        var words = 1
        while index < window.count, window[index] != 0x3D {
            // The oldest exports have spaces in attribute names.
            let wordEnd = skipName(window, index)
            guard wordEnd > index, words < 4 else { return .broken }
            faults.insert(.spacedName)
            nameEnd = wordEnd
            words += 1
            index = skipSpace(window, wordEnd)
        }
        index = skipSpace(window, index + 1)
        guard index < window.count else { return .needsMore }
        return value(window, index, name: ByteRange(start: start, end: nameEnd), faults)
    }

    /// Returns the end of the start tag that continues at `position`, without interpreting its attributes.
    static func endOfTag(_ window: ByteWindow, _ position: Int) -> AttributeStep {
        var index = window.firstQuoteOrBracket(from: position)
        while index < window.count {
            switch window[index] {
            case 0x3E:
                return .end(TagEnd(next: index + 1, isEmptyElement: window[index - 1] == 0x2F))
            case 0x3C:
                return .broken
            default:
                switch value(window, index, name: ByteRange(), []) {
                case .attribute(let attribute): index = window.firstQuoteOrBracket(from: attribute.next)
                case let other: return other
                }
            }
        }
        return .needsMore
    }

    /// Returns the attribute whose opening quote is at `index`.
    private static func value(
        _ window: ByteWindow, _ index: Int, name: ByteRange, _ faults: AttributeFaults
    ) -> AttributeStep {
        var faults = faults
        let quote = window[index]
        guard quote == 0x22 || quote == 0x27 else { return .broken }
        var end = window.endOfValue(from: index + 1, quote: quote)
        while end < window.count, window[end] == 0x3C {
            guard end + 1 < window.count else { return .needsMore }
            // A `<` may mean `a < b`; markup means that the closing quote is missing.
            if beginsMarkup(window[end + 1]) { return .broken }
            faults.insert(.unescaped)
            end = window.endOfValue(from: end + 1, quote: quote)
        }
        guard end < window.count else { return .needsMore }
        return .attribute(
            RawAttribute(name: name, value: ByteRange(start: index + 1, end: end), next: end + 1, faults: faults))
    }

    /// Returns whether `byte` after `<` begins markup.
    private static func beginsMarkup(_ byte: UInt8) -> Bool {
        beginsName(byte) || byte == 0x2F || byte == 0x21 || byte == 0x3F
    }

    /// Returns whether a name may begin with `byte`.
    static func beginsName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x3A || byte >= 0x80
    }

    /// Returns the first index from `start` that is not white space.
    @inline(__always)
    static func skipSpace(_ window: ByteWindow, _ start: Int) -> Int {
        var index = start
        while isSpace(window[index]) { index += 1 }
        return index
    }

    /// Returns the first index from `start` that does not belong to a name.
    @inline(__always)
    static func skipName(_ window: ByteWindow, _ start: Int) -> Int {
        var index = start
        while isName(window[index]) { index += 1 }
        return index
    }

    /// Returns whether `byte` is white space in XML.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    @inline(__always)
    private static func isName(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x3D && byte != 0x3E && byte != 0x2F && byte != 0x3C && byte != 0x22 && byte != 0x27
    }
}

/// The next item of a start tag.
enum AttributeStep {
    /// An attribute.
    case attribute(RawAttribute)
    /// The end of the tag.
    case end(TagEnd)
    /// The window ends before the tag does.
    case needsMore
    /// The bytes are not a start tag.
    case broken
}

/// An attribute as written in the file.
struct RawAttribute {
    /// The name, including spaces if the file contains them.
    var name: ByteRange
    /// The value between its quotes.
    var value: ByteRange
    /// The index after the closing quote.
    var next: Int
    /// The tolerated faults.
    var faults: AttributeFaults
}

/// The end of a start tag.
struct TagEnd {
    /// The index after `>`.
    var next: Int
    /// Whether the tag also ends the element (`/>`).
    var isEmptyElement: Bool
}
