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

/// The kinds of recorders.
enum Recorder: Int, Sendable, CaseIterable {
    case watch
    case phone
    /// Entered in the Health app by the user.
    case user
    case scale
    case cuff
}

/// The part of a record before its dates: the same for all records of one type, device and day.
struct RecordHead: Sendable {
    let recorder: Recorder
    let sourceName: String
    let bytes: [UInt8]

    /// Creates the head of records of `type` from a watch or phone.
    init(_ type: String, unit: String?, recorder: Recorder, device: Device, seed: UInt64) {
        self.init(
            type, unit: unit, recorder: recorder, sourceName: device.sourceName, version: device.software,
            device: device.description(for: type, seed: seed))
    }

    /// Creates the head of records of `type` from an app, with or without a device description.
    init(
        _ type: String, unit: String?, recorder: Recorder, sourceName: String, version: String, device: String? = nil
    ) {
        self.recorder = recorder
        self.sourceName = sourceName
        let escaped = sourceName.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
        bytes = Array(
            (" <Record type=\"\(type)\" sourceName=\"\(escaped)\" sourceVersion=\"\(version)\""
                + (device.map { " device=\"\($0)\"" } ?? "") + (unit.map { " unit=\"\($0)\"" } ?? "")
                + " creationDate=\"").utf8)
    }
}

/// The `value` of a record: a name, or a decimal number stored as an integer so that every machine prints the same
/// text.
enum RecordValue: Sendable {
    /// The number `units` ÷ 10^`decimals`, printed without trailing zeros.
    case number(Int64, decimals: Int = 0)
    case name([UInt8])

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .name(let name): bytes.append(contentsOf: name)
        case .number(let units, let decimals): Self.append(units, decimals, to: &bytes)
        }
    }

    var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ units: Int64, _ decimals: Int, to bytes: inout [UInt8]) {
        if units < 0 { bytes.append(0x2D) }
        var rest = units.magnitude
        var decimals = decimals
        while decimals > 0, rest.isMultiple(of: 10) {
            rest /= 10
            decimals -= 1
        }
        let start = bytes.count
        var written = 0
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            written += 1
            if written == decimals { bytes.append(0x2E) }
        } while rest > 0 || written <= decimals
        bytes[start...].reverse()
    }
}

/// Metadata children of a record in Apple's layout.
enum Metadata {
    static func entry(_ key: String, _ value: String) -> [UInt8] {
        Array("  <MetadataEntry key=\"\(key)\" value=\"\(value)\"/>\n".utf8)
    }

    static let userEntered = entry("HKWasUserEntered", "1")
}
