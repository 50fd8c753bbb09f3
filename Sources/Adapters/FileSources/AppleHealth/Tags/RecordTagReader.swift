/// Reads the start tags of records.
struct RecordTagReader {
    private let names = RecordAttributeNames()
    private var prefixes = TagPrefixCache()
    /// The last read tag.
    private(set) var tag = RecordTag()

    /// Reads the tag whose name ends at `nameEnd` into `tag`.
    mutating func read(
        _ window: ByteWindow, _ start: Int, nameEnd: Int, _ interners: inout RecordInterners
    ) -> AttributeStep {
        var position = nameEnd
        var mayRemember = true
        if let length = prefixes.match(window, start, &tag) {
            position = start + length
            mayRemember = false
        } else {
            tag = RecordTag()
        }
        while !tag.isSkipped {
            if tag.lacksValues, let tail = CommonTail(window, position) {
                if mayRemember { prefixes.remember(window, ByteRange(start: start, end: position), tag) }
                tag.apply(tail)
                return .end(tail.end)
            }
            if window[position] == 0x20, let (attribute, length) = names.match(window, position &+ 1) {
                let opening = position &+ 2 &+ length
                let end = window.endOfValue(from: opening &+ 1, quote: 0x22)
                if window[opening] == 0x22, end < window.count, window[end] == 0x22 {
                    if mayRemember, attribute.isVolatile || (attribute == .device && prefixes.deviceVaries) {
                        prefixes.remember(window, ByteRange(start: start, end: position), tag)
                        mayRemember = false
                    }
                    apply(attribute, window, ByteRange(start: opening &+ 1, end: end), &interners)
                    position = end &+ 1
                    continue
                }
            }
            switch AttributeReader.step(window, position) {
            case .attribute(let raw):
                mayRemember = false
                applyGeneral(raw, window, &interners)
                position = raw.next
            case let other:
                return other
            }
        }
        if mayRemember { prefixes.remember(window, ByteRange(start: start, end: position), tag) }
        return AttributeReader.endOfTag(window, position)
    }

    private mutating func applyGeneral(
        _ raw: RawAttribute, _ window: ByteWindow, _ interners: inout RecordInterners
    ) {
        tag.faults.formUnion(raw.faults)
        if let attribute = RecordAttribute(
            name: AttributeText(window, raw.name).string, spaces: raw.faults.contains(.spacedName))
        {
            apply(attribute, window, raw.value, &interners)
        } else {
            noteFaults(window, raw.value)
        }
    }

    @inline(__always)
    private mutating func apply(
        _ attribute: RecordAttribute, _ window: ByteWindow, _ range: ByteRange, _ interners: inout RecordInterners
    ) {
        if tag.has(attribute) { return noteRepeated(attribute, window, range, &interners) }
        tag.note(attribute)
        switch attribute {
        case .type:
            tag.type = interners.types.intern(window, range)
            tag.faults.formUnion(tag.type.faults)
            // A damaged type is rejected, because it may be that of a selected one.
            tag.isSkipped =
                tag.type.id >= 0 && tag.type.faults.isEmpty && !interners.types.states[Int(tag.type.id)].isSelected
        case .sourceName, .source:
            // The oldest exports have `source`; if both exist, `sourceName` counts.
            if attribute == .source, tag.has(.sourceName) { return }
            tag.source = interners.sources.intern(window, range)
            tag.faults.formUnion(tag.source.faults)
        case .device:
            tag.device = interners.devices.intern(window, range)
            tag.faults.formUnion(tag.device.faults)
        case .unit:
            tag.unit = interners.units.intern(window, range)
            tag.faults.formUnion(tag.unit.faults)
        case .startDate: tag.startDate = range
        case .endDate: tag.endDate = range
        case .value: tag.value = range
        case .min: tag.minimum = range
        case .max: tag.maximum = range
        case .average: tag.average = range
        case .recordCount: tag.recordCount = range
        case .creationDate, .sourceVersion: noteFaults(window, range)
        }
    }

    /// Compares a repeated value with the first one. Only interpreted attributes can contradict each other.
    private mutating func noteRepeated(
        _ attribute: RecordAttribute, _ window: ByteWindow, _ range: ByteRange, _ interners: inout RecordInterners
    ) {
        tag.faults.insert(.writtenTwice)
        let isSame =
            switch attribute {
            case .type: tag.type == interners.types.intern(window, range)
            case .sourceName, .source: tag.source == interners.sources.intern(window, range)
            case .device: tag.device == interners.devices.intern(window, range)
            case .unit: tag.unit == interners.units.intern(window, range)
            case .startDate: Self.isSame(window, tag.startDate, range)
            case .endDate: Self.isSame(window, tag.endDate, range)
            case .value: Self.isSame(window, tag.value, range)
            case .min: Self.isSame(window, tag.minimum, range)
            case .max: Self.isSame(window, tag.maximum, range)
            case .average: Self.isSame(window, tag.average, range)
            case .recordCount: Self.isSame(window, tag.recordCount, range)
            case .creationDate, .sourceVersion: true
            }
        if !isSame { tag.isContradictory = true }
    }

    private static func isSame(_ window: ByteWindow, _ first: ByteRange, _ second: ByteRange) -> Bool {
        AttributeText(window, first).bytes == AttributeText(window, second).bytes
    }

    @inline(__always)
    private mutating func noteFaults(_ window: ByteWindow, _ range: ByteRange) {
        if AttributeText.needsCare(window, range) { tag.faults.formUnion(AttributeText(window, range).faults) }
    }
}

/// A cache of the beginnings of record tags, up to the first date, with their decoded content. A tag with a cached
/// beginning is read from the end of it.
private struct TagPrefixCache {
    private var beginnings = RecentStretches(longest: 2048)
    private var tags = [RecordTag](repeating: RecordTag(), count: RecentStretches.places)
    private var misses = 0
    /// Whether the device's address differs from record to record, so that beginnings end before it.
    private(set) var deviceVaries = false

    /// Returns the length of a cached beginning of the tag at `start` and sets `tag` to its content; `nil` if none
    /// matches.
    @inline(__always)
    mutating func match(_ window: ByteWindow, _ start: Int, _ tag: inout RecordTag) -> Int? {
        guard let length = beginnings.match(window, start) else { return nil }
        misses = 0
        tag = tags[beginnings.place]
        return length
    }

    /// Caches `tag` as the content of a tag that begins with the bytes of `range`. Tags with faults are not cached,
    /// because each fault is counted.
    mutating func remember(_ window: ByteWindow, _ range: ByteRange, _ tag: RecordTag) {
        guard tag.faults.isEmpty, !tag.isContradictory else { return }
        misses &+= 1
        if misses == 64, !deviceVaries {
            deviceVaries = true
            misses = 0
        }
        // If beginnings do not repeat, caching each of them would be wasted work.
        guard misses < 64 || misses & 15 == 0 else { return }
        if beginnings.remember(window, range) { tags[beginnings.place] = tag }
    }
}

/// A cache of the last few byte sequences of one kind, because consecutive records repeat each other or alternate
/// between a few devices.
struct RecentStretches {
    /// The number of cached sequences; a power of two.
    fileprivate static let places = 4
    private let longest: Int
    private var bytes: [UInt8]
    private var lengths = [Int](repeating: 0, count: places)
    private var oldest = 0
    /// The index of the last matched or added sequence.
    private(set) var place = 0

    /// Creates a cache of sequences of at most `longest` bytes.
    init(longest: Int) {
        self.longest = longest
        bytes = [UInt8](repeating: 0, count: longest * Self.places)
    }

    /// Returns the length of a cached sequence that matches the bytes at `start`; `nil` if none exists.
    @inline(__always)
    mutating func match(_ window: ByteWindow, _ start: Int) -> Int? {
        for step in 0..<Self.places {
            let candidate = (place &+ step) & (Self.places &- 1)
            if window.matches(start, bytes, candidate &* longest, lengths[candidate]) {
                place = candidate
                return lengths[candidate]
            }
        }
        return nil
    }

    /// Replaces the oldest sequence with the bytes of `range`; returns whether they fit.
    @discardableResult
    mutating func remember(_ window: ByteWindow, _ range: ByteRange) -> Bool {
        guard range.count <= longest else { return false }
        window.copy(range, to: &bytes, at: oldest * longest)
        lengths[oldest] = range.count
        place = oldest
        oldest = (oldest + 1) % Self.places
        return true
    }
}

/// The start tag of a `Record`: the numbers of its texts and the ranges of its values in the window.
struct RecordTag {
    /// The number of the type's text.
    var type = InternedText.none
    /// The number of the source's name.
    var source = InternedText.none
    /// The number of the device's stable part.
    var device = InternedText.none
    /// The number of the unit's text.
    var unit = InternedText.none
    /// Whether samples of the type are not selected; the rest of the tag is then not read.
    var isSkipped = false
    var startDate = ByteRange()
    var endDate = ByteRange()
    var value = ByteRange()
    var minimum = ByteRange()
    var maximum = ByteRange()
    var average = ByteRange()
    var recordCount = ByteRange()
    /// The tolerated faults.
    var faults: AttributeFaults = []
    /// Whether an attribute is repeated with a different value.
    var isContradictory = false
    private var seen: UInt16 = 0
    private static var usualValues: UInt16 { bit(.creationDate) | bit(.startDate) | bit(.endDate) | bit(.value) }

    /// Whether none of the attributes of a usual tail was read.
    @inline(__always)
    fileprivate var lacksValues: Bool { seen & Self.usualValues == 0 }

    /// Sets the values from `tail`.
    @inline(__always)
    mutating func apply(_ tail: CommonTail) {
        (startDate, endDate, value) = (tail.startDate, tail.endDate, tail.value)
        seen |= Self.usualValues
    }

    /// Returns whether `attribute` was read.
    @inline(__always)
    func has(_ attribute: RecordAttribute) -> Bool { seen & Self.bit(attribute) != 0 }

    /// Marks `attribute` as read.
    @inline(__always)
    mutating func note(_ attribute: RecordAttribute) { seen |= Self.bit(attribute) }

    @inline(__always)
    private static func bit(_ attribute: RecordAttribute) -> UInt16 { 1 << UInt16(attribute.rawValue) }
}

/// The rest of a record's tag from its first date on in the form that the Health app writes: creation, start and end
/// date and a value, in this order, separated by one space, in double quotes. It is recognized by whole words.
struct CommonTail {
    /// The number of bytes from the first space to the start of the value.
    private static let fixedLength = 123
    private static let dateLength = 25
    let startDate: ByteRange
    let endDate: ByteRange
    let value: ByteRange
    let end: TagEnd

    /// Reads the tail that begins with the space at `position`; `nil` if its form differs or it is incomplete.
    @inline(__always)
    init?(_ window: ByteWindow, _ position: Int) {
        guard window.word(position) == 0x6F69_7461_6572_6320, position < window.count &- Self.fixedLength else {
            return nil  // ` creatio`
        }
        let creation = position &+ 15
        let start = creation &+ 38
        let end = start &+ 36
        let value = end &+ 34
        // `onDate="`, `" startD` and `rtDate="`, `" endDat` and `ndDate="`, `" value=`.
        let names =
            (window.word(creation &- 8) ^ 0x223D_6574_6144_6E6F)
            | (window.word(start &- 13) ^ 0x4474_7261_7473_2022) | (window.word(start &- 8) ^ 0x223D_6574_6144_7472)
            | (window.word(end &- 11) ^ 0x7461_4464_6E65_2022) | (window.word(end &- 8) ^ 0x223D_6574_6144_646E)
            | (window.word(value &- 9) ^ 0x3D65_756C_6176_2022)
        guard names == 0, window[value &- 1] == 0x22,
            Self.faults(window, creation) | Self.faults(window, start) | Self.faults(window, end) == 0
        else { return nil }
        let quote = window.endOfValue(from: value, quote: 0x22)
        guard window[quote] == 0x22, let tagEnd = Self.tagEnd(window, quote &+ 1) else { return nil }
        startDate = ByteRange(start: start, end: start &+ Self.dateLength)
        endDate = ByteRange(start: end, end: end &+ Self.dateLength)
        self.value = ByteRange(start: value, end: quote)
        self.end = tagEnd
    }

    /// Returns 0 if the bytes at `start` have digits and separators where a date `yyyy-MM-dd HH:mm:ss ±HHMM` has them,
    /// and thus contain no quotes, references or control characters.
    @inline(__always)
    private static func faults(_ window: ByteWindow, _ start: Int) -> UInt64 {
        // Digits become 0 to 9 and set the high bit from 10 on; separators become 0 and set it from 1 on.
        let day = window.word(start) ^ 0x2D30_302D_3030_3030
        let hour = window.word(start &+ 8) ^ 0x3030_3A30_3020_3030
        // Two bits of the sign are masked, so that `+` and `-` both pass.
        let offset = (window.word(start &+ 17) ^ 0x3030_3030_2B20_3030) & ~0x0600_0000
        let colon = UInt64(window[start &+ 16] ^ 0x3A)
        let invalid =
            day | (day &+ 0x7F76_767F_7676_7676) | hour | (hour &+ 0x7676_7F76_767F_7676)
            | offset | (offset &+ 0x7676_7676_7F7F_7676)
        return (invalid & ByteWindow.highBits) | colon
    }

    @inline(__always)
    private static func tagEnd(_ window: ByteWindow, _ index: Int) -> TagEnd? {
        switch window.halfWord(index) {
        case 0x3E2F: TagEnd(next: index &+ 2, isEmptyElement: true)
        case let bytes where bytes & 0xFF == 0x3E: TagEnd(next: index &+ 1, isEmptyElement: false)
        default: nil
        }
    }
}
