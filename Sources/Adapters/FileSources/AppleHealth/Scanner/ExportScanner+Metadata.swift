import HealthSyncDomain

extension ExportScanner {
    /// The attributes `key` and `value` of a small element.
    private struct KeyAndValue {
        var key: ByteRange?
        var value: ByteRange?
        var faults: AttributeFaults = []
    }

    /// Reads the `MetadataEntry` at `start` of the open record, whose name ends at `nameEnd`.
    mutating func metadataEntry(_ window: ByteWindow, _ start: Int, _ nameEnd: Int) -> AttributeStep {
        var found = KeyAndValue()
        let step = Self.attributes(window, nameEnd, &found)
        guard case .end(let end) = step else { return step }
        row.faults.formUnion(found.faults)
        let offset = windowOffset + Int64(start)
        guard let key = found.key, let value = found.value else {
            account.noteOnce("metadata entry without a key or value, skipped", at: offset)
            return step
        }
        if apply(key, value, window, at: offset) { return step }
        if end.isEmptyElement, found.faults.isEmpty {
            silentChildren.remember(window, ByteRange(start: start, end: end.next))
        }
        return step
    }

    /// Reads the `ExportDate` whose name ends at `nameEnd`.
    mutating func exportDate(_ window: ByteWindow, _ nameEnd: Int) -> AttributeStep {
        var found = KeyAndValue()
        let step = Self.attributes(window, nameEnd, &found)
        guard case .end = step else { return step }
        if let value = found.value, let date = decoder.instant(window, value) {
            account.noteExportDate(date)
            if let offset = UTCOffset.seconds(AttributeText(window, value).string.suffix(5)) {
                account.noteOffset(offset, at: date)
            }
        }
        return step
    }

    private static func attributes(
        _ window: ByteWindow, _ nameEnd: Int, _ found: inout KeyAndValue
    ) -> AttributeStep {
        var position = nameEnd
        while true {
            let step = AttributeReader.step(window, position)
            guard case .attribute(let attribute) = step else { return step }
            position = attribute.next
            found.faults.formUnion(attribute.faults)
            if AttributeText.needsCare(window, attribute.value) {
                found.faults.formUnion(AttributeText(window, attribute.value).faults)
            }
            switch (attribute.name.count, window.word(attribute.name.start)) {
            case (3, let word) where word & 0xFF_FFFF == 0x79_656B: found.key = attribute.value  // key
            case (5, let word) where word & 0xFF_FFFF_FFFF == 0x65_756C_6176: found.value = attribute.value  // value
            default: break
            }
        }
    }

    /// Applies an entry; returns whether its key is interpreted.
    private mutating func apply(
        _ key: ByteRange, _ value: ByteRange, _ window: ByteWindow, at offset: Int64
    ) -> Bool {
        guard let key = metadataKeys.match(window, key) else { return false }
        switch key {
        case .timeZone:
            metadata.zone = value.count > 0 ? decoder.zone(window, value) : 0
            if value.count > 0, metadata.zone == 0 {
                account.noteOnce("too many time zones, the record is read without its zone", at: offset)
            }
        case .wasUserEntered:
            metadata.isUserEntered = ["1", "true", "yes"].contains(AttributeText(window, value).string.lowercased())
        case .syncIdentifier:
            statedIdentity.syncIdentifier = text(value, window)
        case .syncVersion:
            statedIdentity.syncVersion = decoder.decimals.number(window, value).flatMap(Int64.init(exactly:))
        }
        return true
    }

    private var statedIdentity: RecordIdentity {
        get { identity ?? RecordIdentity() }
        set { identity = newValue }
    }

    private func text(_ range: ByteRange, _ window: ByteWindow) -> String? {
        range.count > 0 ? AttributeText(window, range).string : nil
    }
}
