/// The open elements, outermost first, by a hash of their names. Beyond `limit` only their number is kept.
struct ElementStack {
    private static let limit = 1024
    private var names: [UInt64] = []
    private var deeper = 0

    /// The number of open elements.
    var depth: Int { names.count + deeper }

    /// Opens an element.
    mutating func push(_ name: UInt64) {
        if names.count < Self.limit { names.append(name) } else { deeper += 1 }
    }

    /// Closes the innermost element with this name and the elements inside it.
    ///
    /// Returns the number of closed elements: 1 in a well-formed file, 0 if no such element is open.
    mutating func pop(_ name: UInt64) -> Int {
        if deeper > 0 {
            deeper -= 1
            return 1
        }
        if names.last == name {
            names.removeLast()
            return 1
        }
        guard let index = names.lastIndex(of: name) else { return 0 }
        let closed = names.count - index
        names.removeLast(closed)
        return closed
    }

    /// Returns the hash of the name in `range`.
    @inline(__always)
    static func name(_ window: ByteWindow, _ range: ByteRange) -> UInt64 { RawTextCache.hash(window, range) }
}

/// The element names that the scanner interprets, as hashes of `ElementStack`.
struct ElementNames {
    let healthData = Self.number("HealthData")
    let record = Self.number("Record")
    let metadataEntry = Self.number("MetadataEntry")
    let exportDate = Self.number("ExportDate")
    let me = Self.number("Me")

    private static func number(_ name: String) -> UInt64 {
        let bytes = Array(name.utf8)
        let padded = bytes + [UInt8](repeating: 0, count: ByteWindow.slack)
        return ByteWindow.over(padded, count: bytes.count) {
            ElementStack.name($0, ByteRange(start: 0, end: bytes.count))
        } ?? 0
    }
}

/// Markup whose content is skipped, because it may contain what looks like records.
enum SkippedMarkup {
    /// `<!-- … -->`
    case comment
    /// `<![CDATA[ … ]]>`
    case characterData
    /// `<? … ?>`
    case instruction

    /// The byte before the closing `>`.
    private var mark: UInt8 {
        switch self {
        case .comment: 0x2D
        case .characterData: 0x5D
        case .instruction: 0x3F
        }
    }

    /// The number of such bytes.
    private var markCount: Int { if case .instruction = self { 1 } else { 2 } }

    /// Returns the index after the end, searched from `start`; `nil` if the window does not contain it, in which case
    /// the bytes before `resumption` need not be searched again.
    func end(_ window: ByteWindow, from start: Int) -> (end: Int?, resumption: Int) {
        var index = window.firstIndex(of: 0x3E, from: start + markCount)
        while index < window.count {
            if window[index - 1] == mark, markCount == 1 || window[index - 2] == mark {
                return (index + 1, index + 1)
            }
            index = window.firstIndex(of: 0x3E, from: index + 1)
        }
        return (nil, max(start, window.count - markCount))
    }
}

/// The continuation of a scan.
enum MarkupStep {
    /// Continue at this index.
    case next(Int)
    /// Continue inside skipped markup at this index.
    case skip(SkippedMarkup, Int)
    /// The window ends before the markup does.
    case needsMore
    /// The bytes are not markup.
    case broken
}

/// Recognizes the keys of `MetadataEntry` by their bytes.
struct MetadataKeyNames {
    private let names = MetadataKey.allCases.map { (key: $0, bytes: Array($0.rawValue.utf8)) }

    /// Returns the key in `range`; `nil` if it is not interpreted.
    func match(_ window: ByteWindow, _ range: ByteRange) -> MetadataKey? {
        for (key, bytes) in names
        where bytes.count == range.count && window.matches(range.start, bytes, 0, bytes.count) {
            return key
        }
        // A key written with references may still be one of them.
        guard AttributeText.needsCare(window, range) else { return nil }
        return MetadataKey(rawValue: AttributeText(window, range).string)
    }
}

/// The interpreted keys of `MetadataEntry`.
enum MetadataKey: String, CaseIterable {
    case timeZone = "HKTimeZone"
    case wasUserEntered = "HKWasUserEntered"
    case syncIdentifier = "HKMetadataKeySyncIdentifier"
    case syncVersion = "HKMetadataKeySyncVersion"
}
