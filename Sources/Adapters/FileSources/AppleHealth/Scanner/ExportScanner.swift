import HealthSyncDomain
import HealthSyncPorts

/// Scans the records of an export in a stream of bytes, window by window.
///
/// Nothing is validated, not even the document type, which is malformed in one generation of exports: reading starts at
/// `<HealthData`. Only records directly below the root count, because those inside a correlation occur again at the top
/// level. Malformed content is skipped up to the next markup and reported.
struct ExportScanner {
    /// The maximum length of a tag in bytes; a longer one is treated as garbage, so that memory stays bounded.
    static let longestTag = 8 << 20
    /// The maximum length of a stretch without markup in bytes; what follows a longer one is not read.
    static let longestGarbage: Int64 = 64 << 20

    var account = ReadingAccount()
    var decoder: RecordDecoder
    var tags = RecordTagReader()
    var stack = ElementStack()
    /// Children of records that were read before and had no effect.
    var silentChildren = RecentStretches(longest: 256)
    let names = ElementNames()
    let metadataKeys = MetadataKeyNames()
    /// The row of the last decoded record.
    var row = RecordRow()
    /// Whether the row awaits the end of its record.
    var isRowOpen = false
    /// The metadata from the children of that record.
    var metadata = RecordMetadata()
    /// The identity from those children; `nil` if they contain none.
    var identity: RecordIdentity?
    /// The offset of the record whose children are being read, rejected or not.
    var openRecord: Int64?
    /// The offset of the window's first byte in the stream.
    var windowOffset: Int64 = 0
    /// Whether `<HealthData` was found.
    var hasRoot = false
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
    mutating func deliverRow(at offset: Int64) throws {
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
    mutating func stopAfterEnd(at offset: Int64) {
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
