/// The interpreted attributes of a `Record`.
enum RecordAttribute: UInt8 {
    case type, sourceName, source, sourceVersion, device, unit, creationDate, startDate, endDate, value, min, max
    case average, recordCount

    /// The attributes with their names.
    private static let names: [(String, RecordAttribute)] = [
        ("type", .type), ("sourceName", .sourceName), ("source", .source), ("sourceVersion", .sourceVersion),
        ("device", .device), ("unit", .unit), ("creationDate", .creationDate), ("startDate", .startDate),
        ("endDate", .endDate), ("value", .value), ("min", .min), ("max", .max), ("average", .average),
        ("recordCount", .recordCount),
    ]

    /// Creates the attribute with this name. If the name was read with `spaces` in it, spaces and case are ignored.
    init?(name: String, spaces: Bool) {
        let sought = spaces ? name.lowercased().filter { !$0.isWhitespace } : name
        guard let found = Self.names.first(where: { (spaces ? $0.0.lowercased() : $0.0) == sought }) else { return nil }
        self = found.1
    }

    /// Whether the value differs from record to record.
    var isVolatile: Bool {
        switch self {
        case .type, .sourceName, .source, .sourceVersion, .device, .unit: false
        default: true
        }
    }
}

/// Recognizes attribute names by comparing whole words.
struct RecordAttributeNames {
    private let type = Self.word("type")
    private let unit = Self.word("unit")
    private let value = Self.word("value")
    private let device = Self.word("device")
    private let source = Self.word("source")
    private let min = Self.word("min")
    private let max = Self.word("max")
    private let average = Self.word("average")
    private let endDate = Self.word("endDate")
    private let startDate = Self.words("startDate")
    private let sourceName = Self.words("sourceName")
    private let recordCount = Self.words("recordCount")
    private let creationDate = Self.words("creationDate")
    private let sourceVersion = Self.words("sourceVersion")

    /// Returns the attribute whose name begins at `start` and is followed by `=`, and the length of the name.
    @inline(__always)
    func match(_ window: ByteWindow, _ start: Int) -> (attribute: RecordAttribute, length: Int)? {
        let equals = ByteWindow.ones &* 0x3D
        let first = window.word(start)
        let inFirst = ByteWindow.zeroBytes(first ^ equals)
        if inFirst != 0 {
            let length = inFirst.trailingZeroBitCount >> 3
            let name = first & ((UInt64(1) << UInt64(length &* 8)) &- 1)
            return short(name).map { ($0, length) }
        }
        let inSecond = ByteWindow.zeroBytes(window.word(start &+ 8) ^ equals)
        guard inSecond != 0 else { return nil }
        let length = 8 &+ inSecond.trailingZeroBitCount >> 3
        return long(first, window.word(start &+ length &- 8), length).map { ($0, length) }
    }

    @inline(__always)
    private func short(_ name: UInt64) -> RecordAttribute? {
        if name == endDate { return .endDate }
        if name == value { return .value }
        if name == unit { return .unit }
        if name == type { return .type }
        if name == device { return .device }
        if name == source { return .source }
        if name == min { return .min }
        if name == max { return .max }
        return name == average ? .average : nil
    }

    @inline(__always)
    private func long(_ first: UInt64, _ last: UInt64, _ length: Int) -> RecordAttribute? {
        let words = (first, last, length)
        if words == startDate { return .startDate }
        if words == creationDate { return .creationDate }
        if words == sourceVersion { return .sourceVersion }
        if words == sourceName { return .sourceName }
        return words == recordCount ? .recordCount : nil
    }

    /// Returns the bytes of a name of at most eight letters, the first in the lowest bits.
    private static func word(_ name: String) -> UInt64 {
        name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the first and the last eight bytes of a longer name, and its length.
    private static func words(_ name: String) -> (UInt64, UInt64, Int) {
        (word(String(name.prefix(8))), word(String(name.suffix(8))), name.utf8.count)
    }
}
