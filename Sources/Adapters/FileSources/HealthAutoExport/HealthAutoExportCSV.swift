import HealthSyncDomain

/// A CSV text of the app: a line for each bucket, with a column for each metric such as `Step Count (count)` or
/// `Heart Rate [Max] (bpm)`. Dates are local times, often without an offset.
///
/// The content is rewritten in the form of the app's JSON files, which is read further on. Sums of sleep have no start
/// and end in CSV and are not read.
struct HealthAutoExportCSV {
    private struct Column {
        /// The metric as the app's JSON files name it.
        var metric: String
        /// The member of an entry.
        var member: StaticString
        var unit: String
    }

    /// The figures of one line and metric.
    private struct Entry {
        var date: String
        /// The position of the line in the text.
        var position: Int
        var figures: [(member: StaticString, text: String)] = []
    }

    private static let members: [String: StaticString] = [
        "min": "Min", "max": "Max", "avg": "Avg", "systolic": "systolic", "diastolic": "diastolic",
    ]
    private static let names = [
        "weight": "weight_body_mass", "resting_energy": "basal_energy_burned", "date_time": "", "sleep_analysis": "",
    ]

    private let bytes: [UInt8]
    private let lines: [Range<Int>]
    private let columns: [Int: Column]
    /// The columns with sums of sleep.
    private let sleepColumns: [Int]

    /// The CSV text in `body`, alone or as a part of a form; `nil` for another text.
    init?(_ body: [UInt8]) {
        bytes = body
        var lines = Array(TextLines(body))
        // In a form, the text is between the empty line after its headers and the next boundary.
        if let first = lines.first, body[first].starts(with: "--".utf8) {
            let boundary = Array(body[first].prefix { $0 > 0x20 })
            lines = lines.dropFirst().drop { !Self.isHeader(body[$0]) }.prefix { !body[$0].starts(with: boundary) }
        }
        guard let head = lines.first, Self.isHeader(body[head]) else { return nil }
        self.lines = Array(lines.dropFirst())
        let fields = CSVLine.fields(String(decoding: body[head], as: UTF8.self))
        var columns: [Int: Column] = [:]
        for (place, field) in fields.enumerated().dropFirst() { columns[place] = Self.column(field) }
        self.columns = columns
        sleepColumns = fields.indices.filter { fields[$0].hasPrefix("Sleep Analysis") }
        guard !columns.isEmpty || !sleepColumns.isEmpty else { return nil }
    }

    /// Whether a line is the first one of the app's CSV texts.
    private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count <= 65_536, let text = String(validating: line, as: UTF8.self) else { return false }
        let fields = CSVLine.fields(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        return ["Date/Time", "Date"].contains(fields.first) && fields.dropFirst().contains { $0.hasSuffix(")") }
    }

    private static func column(_ title: String) -> Column? {
        guard title.hasSuffix(")"), let opening = title.firstRange(of: " (") else { return nil }
        let unit = String(title[opening.upperBound...].dropLast())
        let label = title[..<opening.lowerBound].split(separator: "[", maxSplits: 1)
        let words = (label.first ?? "").lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        let name = names[words] ?? words
        guard !name.isEmpty else { return nil }
        let qualifier = label.count > 1 ? label[1].lowercased().filter(\.isLetter) : ""
        return Column(metric: name, member: members[qualifier] ?? "qty", unit: unit)
    }

    /// The content as a JSON file of the app.
    struct Content {
        var text: [UInt8]
        /// Where the entries begin, ascending.
        var positions: [HealthAutoExportFile.Position]
        /// The number of nights that are not read.
        var nights: Int
        /// Whether a date is a local time without an offset.
        var hasLocalTimes: Bool
    }

    /// Returns the content in JSON; `clock` gives local times their offset.
    func json(clock: DayClock?) -> Content {
        var entries: [String: [Entry]] = [:]
        var nights = 0
        var dates = LocalDates(clock: clock)
        for (position, fields) in rowsInOrder {
            guard let date = fields.first else { continue }
            if sleepColumns.contains(where: { $0 < fields.count && !fields[$0].isEmpty }) { nights += 1 }
            let stated = dates.stated(date)
            var row: [String: Entry] = [:]
            for (place, column) in columns where place < fields.count && !fields[place].isEmpty {
                row[column.metric, default: Entry(date: stated, position: position)].figures
                    .append((column.member, fields[place]))
            }
            for (metric, entry) in row { entries[metric, default: []].append(entry) }
        }
        let units = columns.values.reduce(into: [:]) { $0[$1.metric] = $1.unit }
        let (text, positions) = Self.written(entries, units: units)
        return Content(text: text, positions: positions, nights: nights, hasLocalTimes: dates.wereLocal)
    }

    /// The positions and fields of the lines, oldest first.
    private var rowsInOrder: some Sequence<(position: Int, fields: [String])> {
        let ends = [lines.first, lines.last].map { line in
            line.flatMap { HealthAutoExportDate(fields(of: $0)[0] + " +0000")?.instant }
        }
        let isDescending = if let first = ends[0], let last = ends[1] { last < first } else { false }
        return (isDescending ? lines.reversed() : lines).lazy.map { ($0.lowerBound, fields(of: $0)) }
    }

    private func fields(of line: Range<Int>) -> [String] {
        CSVLine.fields(String(decoding: bytes[line], as: UTF8.self))
    }

    private static func written(
        _ entries: [String: [Entry]], units: [String: String]
    ) -> (text: [UInt8], positions: [HealthAutoExportFile.Position]) {
        var json = JSONWriter()
        var positions: [HealthAutoExportFile.Position] = []
        json.beginObject()
        json.name("data")
        json.beginObject()
        json.name("metrics")
        json.beginArray()
        for (metric, rows) in entries.sorted(by: { $0.key < $1.key }) {
            json.beginObject()
            json.name("name")
            json.string(metric)
            json.name("units")
            json.string(units[metric] ?? "")
            json.name("data")
            json.beginArray()
            for row in rows {
                positions.append(HealthAutoExportFile.Position(inBytes: json.bytes.count, inFile: row.position))
                json.beginObject()
                json.name("date")
                json.string(row.date)
                for (member, text) in row.figures {
                    json.name(member)
                    if let number = Double(text), number.isFinite { json.number(number) } else { json.string(text) }
                }
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endObject()
        return (json.take(), positions)
    }
}

/// Adds UTC offsets to the dates of a CSV text, which are local times in ascending order.
private struct LocalDates {
    /// Whether a date had no offset.
    private(set) var wereLocal = false
    private let clock: DayClock?
    /// The latest time by the wall clock, and its instant.
    private var latest = (wall: Instant(milliseconds: .min), instant: Instant(milliseconds: .min))

    init(clock: DayClock?) { self.clock = clock }

    /// Returns a date with its offset; unchanged if it has one, or if the clock of the user skips it.
    ///
    /// When the clock is set back, a time that is not later than the one before is the second of two equal ones.
    mutating func stated(_ text: String) -> String {
        guard HealthAutoExportDate(text) == nil, let clock, let wall = HealthAutoExportDate(text + " +0000"),
            let local = LocalTime(day: wall.day, milliseconds: Int64(wall.secondOfDay) * 1000)
        else { return text }
        wereLocal = true
        let isRepeated = wall.instant <= latest.wall
        let instant = local.instant(
            in: clock, notBefore: isRepeated ? latest.instant.advanced(byMilliseconds: 1) : nil)
        if !isRepeated { latest = (wall.instant, instant) }
        let offset = clock.offsetSeconds(at: instant)
        guard instant.seconds + offset == wall.instant.seconds else { return text }
        return "\(text) \(UTCOffset.text(offset))"
    }
}
