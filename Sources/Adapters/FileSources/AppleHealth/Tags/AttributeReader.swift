/// Reads start tags attribute by attribute, whatever their order, quotes and spaces.
enum AttributeReader {
    /// What stands at `position` of a start tag, behind the element's name or an attribute.
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

    /// The end of the start tag that goes on at `position`, without a look at its attributes.
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

    /// The attribute whose opening quote stands at `index`.
    private static func value(
        _ window: ByteWindow, _ index: Int, name: ByteRange, _ faults: AttributeFaults
    ) -> AttributeStep {
        var faults = faults
        let quote = window[index]
        guard quote == 0x22 || quote == 0x27 else { return .broken }
        var end = window.endOfValue(from: index + 1, quote: quote)
        while end < window.count, window[end] == 0x3C {
            guard end + 1 < window.count else { return .needsMore }
            // `a < b` may be meant; markup means that the closing quote is missing.
            if beginsMarkup(window[end + 1]) { return .broken }
            faults.insert(.unescaped)
            end = window.endOfValue(from: end + 1, quote: quote)
        }
        guard end < window.count else { return .needsMore }
        return .attribute(
            RawAttribute(name: name, value: ByteRange(start: index + 1, end: end), next: end + 1, faults: faults))
    }

    /// Whether `byte` behind `<` makes markup of it.
    static func beginsMarkup(_ byte: UInt8) -> Bool {
        beginsName(byte) || byte == 0x2F || byte == 0x21 || byte == 0x3F
    }

    /// Whether a name may begin with `byte`.
    static func beginsName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x3A || byte >= 0x80
    }

    /// The first index from `start` on that holds no white space.
    @inline(__always)
    static func skipSpace(_ window: ByteWindow, _ start: Int) -> Int {
        var index = start
        while isSpace(window[index]) { index += 1 }
        return index
    }

    /// The first index from `start` on that cannot belong to a name.
    @inline(__always)
    static func skipName(_ window: ByteWindow, _ start: Int) -> Int {
        var index = start
        while isName(window[index]) { index += 1 }
        return index
    }

    /// Whether `byte` is white space in XML.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    @inline(__always)
    private static func isName(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x3D && byte != 0x3E && byte != 0x2F && byte != 0x3C && byte != 0x22 && byte != 0x27
    }
}
