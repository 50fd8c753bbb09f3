import HealthSyncDomain

/// A file of the feed, traversed without decoding it as a whole.
struct HealthAutoExportFile {
    /// The name, unit and entries of a metric; members may be missing and in any order.
    struct Metric {
        var name: String?
        var unit: String?
        /// The offset of the value of `data`.
        var entries: Int?
        /// The offset of the metric.
        var offset: Int
    }

    let bytes: [UInt8]
    /// The modification time of the file, if known: all its values were measured before.
    let written: Instant?
    /// The number of nights that the file states in a form that is not read.
    let unreadNights: Int
    /// The entries that were converted from lines of CSV, ascending; empty if `bytes` are the file.
    private let positions: [Position]
    /// Whether dates had no UTC offset and were taken as times of the user's clock.
    let hasLocalTimes: Bool
    private let start: Int

    /// The file with the content of a CSV text.
    init(_ csv: HealthAutoExportCSV, clock: DayClock?, written: Instant?) {
        let content = csv.json(clock: clock)
        self.written = written
        bytes = content.text
        unreadNights = content.nights
        hasLocalTimes = content.hasLocalTimes
        positions = content.positions
        start = 0
    }

    init(_ bytes: [UInt8], written: Instant? = nil) {
        self.written = written
        self.bytes = bytes
        unreadNights = 0
        positions = []
        hasLocalTimes = false
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Where an entry begins.
    struct Position {
        var inBytes: Int
        var inFile: Int
    }

    /// Returns the position in the file of an offset in `bytes`; of a part that is not an entry the first line of a CSV
    /// text, which names the metrics.
    func position(of offset: Int) -> Int64 {
        guard !positions.isEmpty else { return Int64(offset) }
        let next = positions.partitionPoint { $0.inBytes <= offset }
        // A comma may precede the entry.
        guard next > 0, offset - positions[next - 1].inBytes <= 1 else { return 0 }
        return Int64(positions[next - 1].inFile)
    }

    /// The form of a text, according to its beginning.
    enum Form {
        /// An object that is empty or has a member `data`.
        case feed
        /// Something else.
        case other
        /// The text ends before its form is known.
        case truncated
    }

    var form: Form {
        var cursor = JSONCursor(bytes, at: start)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else { return .other }
            var isFirst = true
            while let name = try cursor.nextMember(first: isFirst) {
                if name == "data" { return .feed }
                isFirst = false
                _ = try cursor.skipValue()
            }
            return isFirst ? .feed : .other
        } catch {
            return error.offset >= bytes.count ? .truncated : .other
        }
    }

    /// Calls `body` with each metric. If the file ends within a metric, `body` receives the part that is known before
    /// `JSONCursor.Broken` is thrown.
    func forEachMetric(_ body: (Metric) throws -> Void) throws {
        var cursor = JSONCursor(bytes, at: start)
        try forEachMember(&cursor) { name, cursor in
            guard name == "data" else { return false }
            try forEachMember(&cursor) { name, cursor in
                guard name == "metrics", try cursor.enterArray() else { return false }
                var isFirst = true
                while try cursor.nextElement(first: isFirst) {
                    isFirst = false
                    try readMetric(&cursor, body)
                }
                return true
            }
            return true
        }
    }

    /// Calls `body` with the byte range of each entry of `metric`.
    func forEachEntry(of metric: Metric, _ body: (Range<Int>) throws -> Void) throws {
        guard let entries = metric.entries else { return }
        var cursor = JSONCursor(bytes, at: entries)
        _ = try forEachElement(&cursor, body)
    }

    /// Calls `body` with the byte range of each element of the array at `cursor`; returns whether there is an array.
    private func forEachElement(_ cursor: inout JSONCursor, _ body: (Range<Int>) throws -> Void) throws -> Bool {
        guard try cursor.enterArray() else { return false }
        var isFirst = true
        while try cursor.nextElement(first: isFirst) {
            isFirst = false
            try body(try cursor.skipValue())
        }
        return true
    }

    /// Returns the text of the member `name` of the object in `range`.
    func text(_ name: String, in range: Range<Int>) -> String? {
        var cursor = JSONCursor(bytes, at: range.lowerBound)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else { return nil }
            var isFirst = true
            while let member = try cursor.nextMember(first: isFirst) {
                isFirst = false
                let value = try cursor.skipValue()
                if member == name { return cursor.text(value) }
            }
            return nil
        } catch {
            return nil
        }
    }

    private func readMetric(_ cursor: inout JSONCursor, _ body: (Metric) throws -> Void) throws {
        var metric = Metric(offset: cursor.position)
        do throws(JSONCursor.Broken) {
            guard try cursor.enterObject() else {
                _ = try cursor.skipValue()
                return
            }
            var isFirst = true
            while let name = try cursor.nextMember(first: isFirst) {
                isFirst = false
                if name == "data" { metric.entries = cursor.position }
                let value = try cursor.skipValue()
                if name == "name" { metric.name = cursor.text(value) }
                if name == "units" { metric.unit = cursor.text(value) }
            }
        } catch {
            try body(metric)
            throw error
        }
        try body(metric)
    }

    /// Enters the object at `cursor` and calls `take` at the value of each member; `take` returns whether it moved past
    /// the value.
    private func forEachMember(
        _ cursor: inout JSONCursor, _ take: (String, inout JSONCursor) throws -> Bool
    ) throws {
        guard try cursor.enterObject() else {
            _ = try cursor.skipValue()
            return
        }
        var isFirst = true
        while let name = try cursor.nextMember(first: isFirst) {
            isFirst = false
            if try !take(name, &cursor) { _ = try cursor.skipValue() }
        }
    }
}

extension HealthAutoExportFile {
    /// A part of a file that contains no samples that are read.
    struct UnreadPart {
        /// Its name in the counts of skipped elements.
        var name: String
        /// The number of its elements.
        var count: Int
        /// The offset of its value.
        var offset: Int
        /// What is unexpected about its form; `nil` for a known part, such as `workouts`.
        var fault: String?
    }

    /// Calls `body` with each part that `forEachMetric` and `forEachEntry` omit: lists other than the metrics, members of
    /// an unexpected form, members that occur twice, and text after the document. Empty values and `null` are no parts.
    ///
    /// - Throws: `JSONCursor.Broken` where the file ends or is not valid JSON.
    func forEachUnreadPart(_ body: (UnreadPart) -> Void) throws {
        var cursor = JSONCursor(bytes, at: start)
        try forEachMember(&cursor) { name, cursor in
            guard name == "data", isObject(cursor) else {
                try report(name, fault: name == "data" ? "is not an object" : nil, &cursor, body)
                return true
            }
            try forEachMember(&cursor) { name, cursor in
                guard name == "metrics" else {
                    try report(name, fault: nil, &cursor, body)
                    return true
                }
                guard try cursor.enterArray() else {
                    try report(name, fault: "is not a list", &cursor, body)
                    return true
                }
                var isFirst = true
                while try cursor.nextElement(first: isFirst) {
                    isFirst = false
                    try reportMetric(&cursor, body)
                }
                return true
            }
            return true
        }
        if let rest = bytes[cursor.position...].firstIndex(where: { !JSONCursor.isSpace($0) }) {
            body(UnreadPart(name: "text after the document", count: 1, offset: rest, fault: "follows the document"))
        }
    }

    /// Returns the name of a member that the object in `range` contains twice.
    func repeatedMember(in range: Range<Int>) -> String? { JSONCursor.repeatedMember(in: bytes, at: range.lowerBound) }

    private func isObject(_ cursor: JSONCursor) -> Bool {
        var cursor = cursor
        return (try? cursor.enterObject()) ?? false
    }

    private func reportMetric(_ cursor: inout JSONCursor, _ body: (UnreadPart) -> Void) throws {
        let offset = cursor.position
        guard isObject(cursor) else { return try report("metric", fault: "is not an object", &cursor, body) }
        var seen: Set<String> = []
        try forEachMember(&cursor) { name, cursor in
            guard ["name", "units", "data"].contains(name) else { return false }
            if !seen.insert(name).inserted {
                body(UnreadPart(name: "metric", count: 1, offset: offset, fault: "contains `\(name)` twice"))
            }
            guard name == "data" else { return false }
            var entries = cursor
            guard try !entries.enterArray() else { return false }
            try report("metric", fault: "has `data` that is not a list", &cursor, body)
            return true
        }
    }

    /// Reports the value at `cursor`, with the number of its elements if it is a list, and moves past it.
    private func report(
        _ name: String, fault: String?, _ cursor: inout JSONCursor, _ body: (UnreadPart) -> Void
    ) throws {
        let start = bytes[cursor.position...].firstIndex { !JSONCursor.isSpace($0) } ?? cursor.position
        var count = 0
        let isList = try forEachElement(&cursor) { _ in count += 1 }
        if !isList { count = Self.isEmpty(bytes[try cursor.skipValue()]) ? 0 : 1 }
        guard count > 0 else { return }
        body(UnreadPart(name: String(name.prefix(64)), count: count, offset: start, fault: fault))
    }

    /// Returns whether a value other than a list states nothing: `null`, `{}` or `""`.
    private static func isEmpty(_ value: ArraySlice<UInt8>) -> Bool {
        let inner = value.filter { !JSONCursor.isSpace($0) }
        return inner.elementsEqual("null".utf8) || inner.elementsEqual("{}".utf8) || inner.elementsEqual("\"\"".utf8)
    }
}

/// An entry of a metric's `data`. Its members depend on the metric, the app's version and its settings.
struct HealthAutoExportDatum: Decodable {
    var date: String?
    var start: String?
    var end: String?
    var startDate: String?
    var endDate: String?
    var qty: Double?
    var minimum: Double?
    var average: Double?
    var maximum: Double?
    /// A name, or several joined by `|`.
    var source: String?
    /// The state of an unaggregated sleep interval.
    var value: JSONLine.Value?
    var systolic: Double?
    var diastolic: Double?

    // An aggregated night; values are in the unit of the metric.
    var asleep: Double?
    var inBed: Double?
    var awake: Double?
    var core: Double?
    var deep: Double?
    var rem: Double?
    var totalSleep: Double?
    var sleepStart: String?
    var sleepEnd: String?
    var inBedStart: String?
    var inBedEnd: String?
    private var sleepSource: String?

    enum CodingKeys: String, CodingKey {
        case date, start, end, startDate, endDate, qty, source, value, systolic, diastolic
        case asleep, inBed, awake, core, deep, rem, totalSleep, sleepStart, sleepEnd, inBedStart, inBedEnd, sleepSource
        case minimum = "Min"
        case average = "Avg"
        case maximum = "Max"
    }
}

extension HealthAutoExportDatum {
    /// The app's own name, for values that do not come from a single source.
    static let feedName = InputSamples.unnamedSource

    /// The distinct names of the sources in order; empty if none exist.
    var sources: [String] {
        let names = (source ?? sleepSource ?? "").parts(separatedBy: "|").map { $0.withoutEnds(where: \.isWhitespace) }
        return Set(names).subtracting([""]).sorted()
    }
}
