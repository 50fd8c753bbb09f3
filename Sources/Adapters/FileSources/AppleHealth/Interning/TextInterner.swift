/// Maps the raw bytes of an attribute value to the number of its text.
struct TextInterner {
    private var cache = RawTextCache()
    private var table = TextTable()

    /// The texts, by number.
    var strings: [String] { table.strings }

    /// The number of texts.
    var count: Int { table.strings.count }

    /// Returns the number of the text of the bytes in `range`.
    @inline(__always)
    mutating func intern(_ window: ByteWindow, _ range: ByteRange) -> InternedText {
        cache.text(window, range) ?? add(window, range)
    }

    private mutating func add(_ window: ByteWindow, _ range: ByteRange) -> InternedText {
        let text = AttributeText(window, range)
        guard let id = table.id(of: text.bytes) else { return .overflow }
        let interned = InternedText(id: id, faults: text.faults)
        cache.remember(window, range, as: interned)
        return interned
    }
}
