import HealthSyncDomain

/// The part of the XML being written, and the counts so far.
struct ExportPage: Sendable {
    /// The bytes that are not yet delivered.
    var bytes: [UInt8] = []
    var dates: AppleDate
    var truth: TruthLedger
    private(set) var counts: [TruthRecordCount] = []
    private(set) var records = 0
    private var current: [Recorder: TruthRecordCount] = [:]
    private var duplicates = SeededStream(seed: 0, day: 0, purpose: .duplicates)

    /// About one record in a thousand is duplicated in real exports.
    private static let duplicateProbability = 0.001

    init(dates: AppleDate, truth: TruthLedger) {
        self.dates = dates
        self.truth = truth
    }

    /// Begins the records of a type on a day.
    mutating func begin(_ type: String, seed: UInt64, day: Int) {
        let typeSeed = type.utf8.reduce(seed) { SeededStream.mixed($0 ^ UInt64($1)) }
        duplicates = SeededStream(seed: typeSeed, day: day, purpose: .duplicates)
    }

    /// Ends the records of a type.
    mutating func endType() {
        counts += Recorder.allCases.compactMap { current[$0] }
        current = [:]
    }

    /// Writes a record, occasionally twice. `children` are complete lines.
    mutating func write(
        _ head: RecordHead, type: String, created: Int64, _ span: Span, _ value: RecordValue, children: [UInt8] = []
    ) {
        let start = bytes.count
        append(head, created: created, span, value, children: children)
        let isTwice = duplicates.chance(Self.duplicateProbability)
        if isTwice { bytes.append(contentsOf: Array(bytes[start...])) }
        records += isTwice ? 2 : 1
        current[
            head.recorder,
            default: TruthRecordCount(type: type, source: head.sourceName, count: 0, duplicates: 0)
        ].add(isTwice: isTwice)
    }

    /// Writes a record within an element that repeats it; it is not counted again.
    mutating func writeNested(_ head: RecordHead, created: Int64, _ span: Span, _ value: RecordValue) {
        bytes.append(0x20)
        append(head, created: created, span, value, children: [])
    }

    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(
        _ head: RecordHead, created: Int64, _ span: Span, _ value: RecordValue, children: [UInt8]
    ) {
        bytes.append(contentsOf: head.bytes)
        dates.append(created, to: &bytes)
        bytes.append(contentsOf: Self.startDate)
        dates.append(span.start, to: &bytes)
        bytes.append(contentsOf: Self.endDate)
        dates.append(span.end, to: &bytes)
        bytes.append(contentsOf: Self.value)
        value.append(to: &bytes)
        guard !children.isEmpty else {
            bytes.append(contentsOf: Self.end)
            return
        }
        bytes.append(contentsOf: Self.open)
        bytes.append(contentsOf: children)
        bytes.append(contentsOf: Self.close)
    }

    private static let startDate = Array("\" startDate=\"".utf8)
    private static let endDate = Array("\" endDate=\"".utf8)
    private static let value = Array("\" value=\"".utf8)
    private static let end = Array("\"/>\n".utf8)
    private static let open = Array("\">\n".utf8)
    private static let close = Array(" </Record>\n".utf8)
}
