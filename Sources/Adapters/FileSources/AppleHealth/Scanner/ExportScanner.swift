import HealthSyncDomain
import HealthSyncPorts

/// Finds the records of an export in a stream of bytes, window by window.
///
/// Neither the document type nor anything else is validated; reading starts at `<HealthData`, because one generation of
/// exports has a malformed document type. Only records directly below the root count: those inside a correlation occur
/// again at top level. What is malformed is skipped up to the next markup and noted.
struct ExportScanner {
    /// Most bytes of one tag; a longer one is taken for garbage, so that memory stays bounded.
    static let longestTag = 8 << 20

    var account = ReadingAccount()
    var decoder: RecordDecoder
    var tags = RecordTagReader()
    var stack = ElementStack()
    /// Children of records that were read before and said nothing.
    var silentChildren = RecentStretches(longest: 256)
    let names = ElementNames()
    let metadataKeys = MetadataKeyNames()
    /// The row of the record that was decoded last.
    var row = RecordRow()
    /// Whether that row waits for the end of its record.
    var isRowOpen = false
    /// What the children of that record said.
    var metadata = RecordMetadata()
    /// What those children said of its identity; `nil` where they said nothing.
    var identity: RecordIdentity?
    /// Where the record began whose children are being read, used or not.
    var openRecord: Int64?
    /// Offset of the window's first byte in the stream.
    var windowOffset: Int64 = 0
    /// Whether `<HealthData` was met.
    var hasRoot = false
    private var skipped: (markup: SkippedMarkup, start: Int64)?
    private var isInGarbage = false
    /// Bytes that the stream should have.
    private let size: Int64
    private let receive: (borrowing SampleBatch) throws -> Void

    /// Scans a stream of `size` bytes for what `selection` asks; full batches go to `receive`.
    init(
        _ selection: SampleSelection, known: SampleTypeTable, size: Int64,
        receive: @escaping (borrowing SampleBatch) throws -> Void
    ) {
        self.size = size
        decoder = RecordDecoder(RecordInterners(types: TypeInterner(selection, known: known)))
        self.receive = receive
    }

    /// Scans `window` and returns how many of its bytes are done with; the others must begin the next window. All of
    /// the last one's are.
    mutating func scan(_ window: ByteWindow, isLast: Bool) throws -> Int {
        var position = 0
        while true {
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
            guard bracket < window.count else {
                position = window.count
                break
            }
            switch try markup(window, bracket) {
            case .next(let next):
                isInGarbage = false
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

    /// Hands on the last rows and closes the account.
    ///
    /// Throws `.badInput` when there was no export in the stream at all.
    mutating func finish(damage: StreamDamage?, subject: String) throws -> SourceReading {
        if let damage { account.noteSkipped(damage.what, at: windowOffset) }
        guard hasRoot else {
            throw SyncFailure(
                .badInput, subject: subject, reason: "it holds no Apple Health export (no <HealthData> element)",
                advice: "name the export.zip that the Health app writes, or the export.xml inside it")
        }
        if stack.depth > 0 { noteCutOff(at: openRecord ?? windowOffset) }
        try handOn()
        return account.sum
    }

    /// Adds the row, whose record is over, to the batch and hands the batch on when it is full.
    @inline(__always)
    mutating func deliverRow(at offset: Int64) throws {
        if let reason = decoder.append(row, metadata, identity) { return account.refuse(reason) }
        if !row.faults.isEmpty { account.note(row.faults, at: offset) }
        if decoder.batch.count >= RecordDecoder.batchSize { try handOn() }
    }

    private mutating func handOn() throws {
        guard decoder.batch.count > 0 else { return }
        decoder.note(bytesRead: windowOffset, of: size)
        try receive(decoder.batch)
        account.countDelivered(decoder.batch.count)
        decoder.removeAll()
    }

    /// The next `<`; looks at the text in front of it inside the root.
    @inline(__always)
    private mutating func nextBracket(_ window: ByteWindow, _ position: Int) -> Int {
        let start = AttributeReader.skipSpace(window, position)
        if start < window.count, window[start] == 0x3C { return start }
        let bracket = window.firstIndex(of: 0x3C, from: start)
        if stack.depth > 0, !isInGarbage, let offset = Self.garbage(window, start, bracket) {
            noteGarbage(at: windowOffset + Int64(offset))
        }
        return bracket
    }

    /// The first byte that no text of a well-formed file holds: a control character, or one that UTF-8 never has.
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

    /// Notes a stretch that cannot be used, once until markup follows that can.
    private mutating func noteGarbage(at offset: Int64) {
        guard hasRoot, !isInGarbage else { return }
        isInGarbage = true
        account.noteSkipped("malformed, skipped", at: offset)
    }

    private mutating func noteCutOff(at offset: Int64) {
        guard hasRoot else { return }
        account.noteSkipped("the file ends too early", at: offset)
        stack = ElementStack()
        isRowOpen = false
    }
}
