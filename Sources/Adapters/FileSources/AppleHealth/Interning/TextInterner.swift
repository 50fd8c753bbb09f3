/// Maps the raw bytes of an attribute value to the number of its text.
struct TextInterner {
    private var cache = RawTextCache()
    private var table = TextNumbers()

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

/// A cache from raw attribute bytes to their text. The last two hits are compared first, because consecutive records
/// have the same source or alternate between two; then a hash table is searched. The cache is cleared when it grows too
/// large.
struct RawTextCache {
    private struct Entry {
        let hash: UInt64
        let offset: Int
        let length: Int
        let text: InternedText
    }

    private static let entryLimit = 1 << 15
    private static let byteLimit = 16 << 20
    private static let longest = 1 << 16
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// The index of an entry plus 1, or 0 if empty. The number of slots is a power of two, at least twice the number of
    /// entries.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var last = -1
    private var beforeLast = -1

    /// Returns the cached text for the bytes of `range`.
    @inline(__always)
    mutating func text(_ window: ByteWindow, _ range: ByteRange) -> InternedText? {
        if last >= 0 {
            let entry = entries[last]
            if entry.length == range.count, window.matches(range.start, bytes, entry.offset, entry.length) {
                return entry.text
            }
        }
        if beforeLast >= 0 {
            let entry = entries[beforeLast]
            if entry.length == range.count, window.matches(range.start, bytes, entry.offset, entry.length) {
                (last, beforeLast) = (beforeLast, last)
                return entry.text
            }
        }
        return find(window, range)
    }

    /// Caches `text` for the bytes of `range`.
    mutating func remember(_ window: ByteWindow, _ range: ByteRange, as text: InternedText) {
        guard range.count > 0, range.count <= Self.longest else { return }
        if entries.count == Self.entryLimit || bytes.count > Self.byteLimit { self = RawTextCache() }
        let hash = Self.hash(window, range)
        (last, beforeLast) = (entries.count, last)
        entries.append(Entry(hash: hash, offset: bytes.count, length: range.count, text: text))
        window.append(range, to: &bytes)
        if entries.count * 2 > slots.count {
            slots = [UInt32](repeating: 0, count: slots.count * 2)
            for index in entries.indices { assignSlot(to: index) }
        } else {
            assignSlot(to: entries.count - 1)
        }
    }

    private mutating func assignSlot(to index: Int) {
        var slot = Int(truncatingIfNeeded: entries[index].hash) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(index + 1)
    }

    private mutating func find(_ window: ByteWindow, _ range: ByteRange) -> InternedText? {
        guard range.count > 0, range.count <= Self.longest else { return nil }
        let hash = Self.hash(window, range)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            let entry = entries[index]
            if entry.hash == hash, entry.length == range.count,
                window.matches(range.start, bytes, entry.offset, entry.length)
            {
                (last, beforeLast) = (index, last)
                return entry.text
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Hashes eight bytes at a time; the table is bounded, so a poor hash costs little.
    static func hash(_ window: ByteWindow, _ range: ByteRange) -> UInt64 {
        var hash = UInt64(range.count) &* 0x9E37_79B9_7F4A_7C15
        var index = range.start
        while index < range.end {
            let left = range.end - index
            let eight = left >= 8 ? window.word(index) : window.word(index) & ((UInt64(1) << UInt64(left * 8)) &- 1)
            hash = (hash ^ eight) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
            index += 8
        }
        return hash
    }
}

/// The number of a text in a file.
struct InternedText: Equatable {
    /// The number of the text: equal texts have equal numbers. -1 if there are too many different texts.
    var id: Int32
    /// The faults of its raw bytes.
    var faults: AttributeFaults = []

    /// No text.
    static let none = InternedText(id: -2)
    /// A text beyond the limit of different texts.
    static let overflow = InternedText(id: -1)
}

/// Assigns numbers to texts by their bytes. Swift's string equality treats composed and decomposed characters as equal,
/// so the first spelling would replace the other.
struct TextNumbers {
    /// The maximum number of texts. A user has some hundred sources, and memory must stay bounded.
    static let limit = 100_000
    private var ids: [[UInt8]: Int32] = [:]
    /// The texts, by number; invalid UTF-8 is replaced by U+FFFD.
    private(set) var strings: [String] = []

    /// Returns the number of the text with these bytes; `nil` beyond the limit.
    mutating func id(of bytes: [UInt8]) -> Int32? {
        if let id = ids[bytes] { return id }
        guard strings.count < Self.limit else { return nil }
        let id = Int32(strings.count)
        ids[bytes] = id
        strings.append(String(decoding: bytes, as: UTF8.self))
        return id
    }
}
