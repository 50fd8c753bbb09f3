import HealthSyncDomain
import HealthSyncPorts

/// Scans the records of an export in a stream of bytes, window by window.
///
/// Nothing is validated, not even the document type, which is malformed in one generation of exports: reading starts at
/// `<HealthData`. Only records directly below the root count, because those inside a correlation occur again at the top
/// level. Malformed content is skipped up to the next markup and reported.
struct ExportScanner {
    /// The maximum length of a tag in bytes; a longer one is treated as garbage, so that memory stays bounded.
    private static let longestTag = 8 << 20
    /// The maximum length of a stretch without markup in bytes; what follows a longer one is not read.
    private static let longestGarbage: Int64 = 64 << 20

    var account = ReadingAccount()
    private var decoder: RecordDecoder
    private var tags = RecordTagReader()
    private var stack = ElementStack()
    /// Children of records that were read before and had no effect.
    private var silentChildren = RecentStretches(longest: 256)
    private let names = ElementNames()
    private let metadataKeys = MetadataKeyNames()
    /// The row of the last decoded record.
    private var row = RecordRow()
    /// Whether the row awaits the end of its record.
    private var isRowOpen = false
    /// The metadata from the children of that record.
    private var metadata = RecordMetadata()
    /// The identity from those children; `nil` if they contain none.
    private var identity: RecordIdentity?
    /// The offset of the record whose children are being read, rejected or not.
    private var openRecord: Int64?
    /// The offset of the window's first byte in the stream.
    private var windowOffset: Int64 = 0
    /// Whether `<HealthData` was found.
    private var hasRoot = false
    private var skipped: (markup: SkippedMarkup, start: Int64)?
    /// Where the present stretch of garbage begins; `nil` after valid markup.
    private var garbageStart: Int64?
    /// Whether the rest of the stream contains nothing to read: it follows the end of the export, or garbage of the
    /// maximum length.
    private(set) var isStopped = false
    /// The stated size of the stream in bytes.
    private let size: Int64
    private let receive: (borrowing SampleBatch) throws -> Void

    /// Creates a scanner for a stream of `size` bytes; full batches of records in `selection` are passed to `receive`.
    init(
        _ selection: SampleSelection, known: SampleTypeTable, size: Int64,
        receive: @escaping (borrowing SampleBatch) throws -> Void
    ) {
        self.size = size
        decoder = RecordDecoder(RecordInterners(types: TypeInterner(selection, known: known)))
        self.receive = receive
    }

    /// Scans `window` and returns the number of consumed bytes; the rest must begin the next window. The last window is
    /// consumed completely.
    mutating func scan(_ window: ByteWindow, isLast: Bool) throws -> Int {
        var position = 0
        while true {
            guard !isStopped, !stopsAfterGarbage(at: position) else {
                position = window.count
                break
            }
            if let (markup, start) = skipped {
                let (end, resumption) = markup.end(window, from: position)
                guard let end else {
                    if isLast { noteCutOff(at: start) }
                    position = isLast ? window.count : resumption
                    break
                }
                skipped = nil
                position = end
            }
            let bracket = nextBracket(window, position)
            guard bracket < window.count, !isStopped else {
                position = window.count
                break
            }
            switch try markup(window, bracket) {
            case .next(let next):
                garbageStart = nil
                position = next
            case .skip(let markup, let next):
                skipped = (markup, windowOffset + Int64(bracket))
                position = next
            case .needsMore where isLast:
                noteCutOff(at: windowOffset + Int64(bracket))
                position = window.count
            case .needsMore where window.count - bracket <= Self.longestTag:
                windowOffset += Int64(bracket)
                return bracket
            case .needsMore, .broken:
                noteGarbage(at: windowOffset + Int64(bracket))
                position = bracket + 1
            }
        }
        windowOffset += Int64(position)
        return position
    }

    /// Delivers the last rows and completes the account.
    ///
    /// Throws `.badInput` if the stream contains no export.
    mutating func finish(damage: StreamDamage?, subject: String) throws -> SourceReading {
        if let damage { account.noteSkipped(damage.what, at: windowOffset) }
        guard hasRoot else {
            throw SyncFailure(
                .badInput, subject: subject, reason: "not an Apple Health export (no <HealthData> element)",
                advice: "specify the export.zip that the Health app creates, or the export.xml inside it")
        }
        if stack.depth > 0 { noteCutOff(at: openRecord ?? windowOffset) }
        try deliverBatch()
        return account.sum { decoder.interners.types.name($0) }
    }

    /// Appends the row of a complete record to the batch and delivers the batch if it is full.
    @inline(__always)
    private mutating func deliverRow(at offset: Int64) throws {
        if let reason = decoder.append(row, metadata, identity) { return account.reject(reason) }
        if !row.faults.isEmpty { account.note(row.faults, at: offset) }
        if decoder.batch.count >= RecordDecoder.batchSize { try deliverBatch() }
    }

    private mutating func deliverBatch() throws {
        guard decoder.batch.count > 0 else { return }
        decoder.note(bytesRead: windowOffset, of: size)
        try receive(decoder.batch)
        account.countDelivered(decoder.batch.count)
        decoder.removeAll()
    }

    /// Returns the index of the next `<`; checks the text before it inside the root.
    @inline(__always)
    private mutating func nextBracket(_ window: ByteWindow, _ position: Int) -> Int {
        let start = AttributeReader.skipSpace(window, position)
        if start < window.count, window[start] == 0x3C { return start }
        let bracket = window.firstIndex(of: 0x3C, from: start)
        if stack.depth > 0 {
            if garbageStart == nil, let offset = Self.garbage(window, start, bracket) {
                noteGarbage(at: windowOffset + Int64(offset))
            } else if stack.depth == 1, garbageStart == nil, start < bracket {
                countEntities(window, start, bracket)
            }
        } else if hasRoot, start < bracket {
            stopAfterEnd(at: windowOffset + Int64(start))
        }
        return bracket
    }

    /// Counts the references to entities in the text between two records. They are not expanded, so a record inside an
    /// entity is not read.
    private mutating func countEntities(_ window: ByteWindow, _ start: Int, _ end: Int) {
        for index in start..<end where window[index] == 0x26 && AttributeReader.beginsName(window[index + 1]) {
            guard let nameEnd = (index + 1..<min(end, index + 256)).first(where: { window[$0] == 0x3B }) else {
                continue
            }
            let name = String(decoding: (index + 1..<nameEnd).map { window[$0] }, as: UTF8.self)
            guard !["amp", "apos", "gt", "lt", "quot"].contains(name) else { continue }
            account.countSkipped("entity reference")
            account.noteOnce("reference to an entity, not expanded", at: windowOffset + Int64(index))
        }
    }

    /// Reports content after the root element, of which nothing is read.
    private mutating func stopAfterEnd(at offset: Int64) {
        account.noteSkipped("content after the end", at: offset)
        isStopped = true
    }

    private mutating func stopsAfterGarbage(at position: Int) -> Bool {
        guard let garbageStart, windowOffset + Int64(position) - garbageStart > Self.longestGarbage else {
            return false
        }
        account.noteSkipped("no markup in the 64 MiB from here on, the rest is not read", at: garbageStart)
        stack = ElementStack()
        isRowOpen = false
        isStopped = true
        return true
    }

    /// Returns the index of the first byte that is not valid in text: a control character, or one that never occurs in
    /// UTF-8.
    private static func garbage(_ window: ByteWindow, _ start: Int, _ end: Int) -> Int? {
        var index = start
        while index < end {
            let byte = window[index]
            if byte < 0x20 ? !AttributeReader.isSpace(byte) : byte == 0xC0 || byte == 0xC1 || byte > 0xF4 {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Reports a stretch of garbage, once until valid markup follows.
    private mutating func noteGarbage(at offset: Int64) {
        guard hasRoot, garbageStart == nil else { return }
        garbageStart = offset
        account.noteSkipped("malformed, skipped", at: offset)
    }

    private mutating func noteCutOff(at offset: Int64) {
        guard hasRoot else { return }
        account.noteSkipped("the file ends too early", at: offset)
        stack = ElementStack()
        isRowOpen = false
    }
}

extension ExportScanner {
    /// Scans the markup whose `<` is at `start`.
    @inline(__always)
    private mutating func markup(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        guard start + 1 < window.count else { return .needsMore }
        let first = window[start + 1]
        if AttributeReader.beginsName(first) { return try startTag(window, start) }
        switch first {
        case 0x2F: return try endTag(window, start)
        case 0x21: return declaration(window, start)
        case 0x3F: return .skip(.instruction, start + 2)
        default: return .broken
        }
    }

    /// Scans `<!--`, `<![CDATA[`, or before the root any part of the document type, which is not interpreted.
    private func declaration(_ window: ByteWindow, _ start: Int) -> MarkupStep {
        if window.word(start) & 0xFFFF_FFFF == 0x2D2D_213C {  // <!--
            return .skip(.comment, start + 4)
        }
        if window[start + 8] == 0x5B, window.word(start) == 0x4154_4144_435B_213C {  // <![CDATA[
            return .skip(.characterData, start + 9)
        }
        if window.count - start < 9 { return .needsMore }
        return hasRoot ? .broken : .next(start + 2)
    }

    @inline(__always)
    private mutating func endTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        // `</Record>` if only the record is open.
        if openRecord != nil, stack.depth == 2, window.word(start) == 0x6472_6F63_6552_2F3C, window[start + 8] == 0x3E {
            try close(names.record, at: start)
            return .next(start + 9)
        }
        return try otherEndTag(window, start)
    }

    private mutating func otherEndTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        let nameEnd = AttributeReader.skipName(window, start + 2)
        let bracket = AttributeReader.skipSpace(window, nameEnd)
        guard bracket < window.count else { return .needsMore }
        guard window[bracket] == 0x3E, nameEnd > start + 2 else { return .broken }
        guard hasRoot else { return .next(bracket + 1) }
        try close(ElementStack.name(window, ByteRange(start: start + 2, end: nameEnd)), at: start)
        return .next(bracket + 1)
    }

    /// Closes the innermost element with this name, whose end tag is at `start`.
    @inline(__always)
    private mutating func close(_ name: UInt64, at start: Int) throws {
        let closed = stack.pop(name)
        let offset = windowOffset + Int64(start)
        if closed == 0 { account.noteSkipped("end tag without a start", at: offset) }
        if closed > 1 { account.noteSkipped("element without an end", at: offset) }
        if stack.depth < 2, let began = openRecord {
            openRecord = nil
            if isRowOpen {
                isRowOpen = false
                if closed == 1 { try deliverRow(at: began) } else { account.reject(.notClosed) }
            }
        }
    }

    @inline(__always)
    private mutating func startTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        // `<Record` followed by a byte that cannot continue the name.
        if window.word(start) & 0xFF_FFFF_FFFF_FFFF == 0x64_726F_6365_523C, stack.depth == 1 {
            let following = window[start + 7]
            if AttributeReader.isSpace(following) || following == 0x3E || following == 0x2F {
                return try record(window, start)
            }
        }
        if stack.depth == 2, let length = silentChildren.match(window, start) { return .next(start + length) }
        return stack.depth > 2 ? innerStartTag(window, start) : try otherStartTag(window, start)
    }

    @inline(__always)
    private mutating func record(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        let end: TagEnd
        switch tags.read(window, start, nameEnd: start + 7, &decoder.interners) {
        case .end(let found): end = found
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
        let offset = windowOffset + Int64(start)
        isRowOpen = false
        if tags.tag.isSkipped {
            account.countNotSelected(Int(tags.tag.type.id))
            if decoder.isUnread(tags.tag) { noteUnread(at: offset) }
        } else if let reason = decoder.decode(tags.tag, window, into: &row) {
            reject(reason, window, at: offset)
        } else {
            metadata = RecordMetadata()
            if identity != nil { identity = nil }
            if end.isEmptyElement { try deliverRow(at: offset) } else { isRowOpen = true }
        }
        if !end.isEmptyElement {
            stack.push(names.record)
            openRecord = offset
        }
        return .next(end.next)
    }

    /// Counts a record of a type that is not read although all types are selected by the name of the type.
    private mutating func noteUnread(at offset: Int64) {
        let type = decoder.typeName(of: tags.tag)
        account.countSkipped(String(type.prefix(64)))
        account.noteOnce("records of \(type.prefix(64)) are not read: it is no quantity and no category", at: offset)
    }

    private mutating func reject(_ reason: RejectionReason, _ window: ByteWindow, at offset: Int64) {
        account.reject(reason)
        if reason == .unknownUnit { account.noteOnce(decoder.unitProblem(tags.tag), at: offset) }
        if reason == .unknownState {
            account.noteOnce(decoder.stateProblem(tags.tag, window), at: offset)
        }
        if reason == .damagedType { account.note(tags.tag.faults, at: offset) }
    }

    private mutating func otherStartTag(_ window: ByteWindow, _ start: Int) throws -> MarkupStep {
        let nameEnd = AttributeReader.skipName(window, start + 1)
        guard nameEnd < window.count else { return .needsMore }
        let name = ElementStack.name(window, ByteRange(start: start + 1, end: nameEnd))
        guard hasRoot else { return root(window, nameEnd, isRoot: name == names.healthData) }
        if name == names.record, stack.depth == 2, let began = openRecord {
            closeUnclosedRecord(at: began)
            return try record(window, start)
        }
        let step: AttributeStep
        if name == names.metadataEntry, stack.depth == 2, isRowOpen {
            step = metadataEntry(window, start, nameEnd)
        } else if name == names.exportDate, stack.depth == 1 {
            step = exportDate(window, nameEnd)
        } else {
            step = AttributeReader.endOfTag(window, nameEnd)
        }
        switch step {
        case .end(let end):
            if stack.depth == 0 {
                stopAfterEnd(at: windowOffset + Int64(start))
            } else if stack.depth == 1 || openRecord != nil && stack.depth == 2 && name != names.metadataEntry {
                countSkipped(name, window, ByteRange(start: start + 1, end: nameEnd))
            }
            if stack.depth > 0, !end.isEmptyElement {
                stack.push(name)
            }
            return .next(end.next)
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
    }

    /// Skips the start tag of an element inside a child of a record, or deeper, where no element is interpreted.
    private mutating func innerStartTag(_ window: ByteWindow, _ start: Int) -> MarkupStep {
        switch AttributeReader.endOfTag(window, start + 1) {
        case .end(let end):
            if !end.isEmptyElement {
                let nameEnd = AttributeReader.skipName(window, start + 1)
                stack.push(ElementStack.name(window, ByteRange(start: start + 1, end: nameEnd)))
            }
            return .next(end.next)
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
    }

    /// Counts an element directly below the root that is not a record, or one in a record that is not metadata. The
    /// records of a correlation also occur below the root, so only the pairing is skipped.
    private mutating func countSkipped(_ name: UInt64, _ window: ByteWindow, _ range: ByteRange) {
        guard ![names.exportDate, names.me, names.record].contains(name) else { return }
        let text = (range.start..<min(range.end, range.start + 64)).map { window[$0] }
        account.countSkipped(String(decoding: text, as: UTF8.self))
    }

    private mutating func root(_ window: ByteWindow, _ nameEnd: Int, isRoot: Bool) -> MarkupStep {
        guard isRoot else { return .next(nameEnd) }
        switch AttributeReader.endOfTag(window, nameEnd) {
        case .end(let end):
            hasRoot = true
            if !end.isEmptyElement { stack.push(names.healthData) }
            return .next(end.next)
        case .needsMore: return .needsMore
        case .attribute, .broken: return .broken
        }
    }

    /// Records are never nested: if one begins inside another, the end of the outer one is missing.
    private mutating func closeUnclosedRecord(at began: Int64) {
        account.noteSkipped("record without an end", at: began)
        if isRowOpen { account.reject(.notClosed) }
        isRowOpen = false
        openRecord = nil
        _ = stack.pop(names.record)
    }
}

extension ExportScanner {
    /// The attributes `key` and `value` of a small element.
    private struct KeyAndValue {
        var key: ByteRange?
        var value: ByteRange?
        var faults: AttributeFaults = []
    }

    /// Reads the `MetadataEntry` at `start` of the open record, whose name ends at `nameEnd`.
    private mutating func metadataEntry(_ window: ByteWindow, _ start: Int, _ nameEnd: Int) -> AttributeStep {
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
    private mutating func exportDate(_ window: ByteWindow, _ nameEnd: Int) -> AttributeStep {
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
