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
