/// The codec of page bytes. The layout is little-endian, versioned by its first byte and documented in
/// docs/database.md.
///
/// ```
/// 0  u8   version, 2
/// 1  u8   flags: bit 0 starts are milliseconds (else seconds), bit 1 durations are milliseconds (else seconds),
///         bit 2 values are IEEE 754 doubles (else integers), bit 3 zones follow, bit 4 details follow,
///         bits 5 and 6 notations (`PageNotations.Mode`)
/// 2  u8   bytes of one duration: 0 (all are equal to the first), 1, 2, 4 or 8
/// 3  u8   bytes of one value: 8 for doubles, else of one difference (`PageValues`)
/// 4  …    count, 7 bits a byte, the lowest first
///    i32  UTC day, in days since 1970
///    u32  start of each sample, from the start of the UTC day, ascending
///    …    durations; if all are equal that one, 7 bits a byte
///    …    values, notations (`PageNotations`)
///    …    zones: u16 number of names, each u16 length + UTF-8; then u16 for each sample, 0 for none
///    …    details: u32 number; each u32 index, u8 members, then the members in order
/// ```
///
/// Pages of version 1, which earlier versions of the program wrote, are decoded too: u32 count at byte 4, i64 UTC day,
/// i64 for equal durations in milliseconds, values as doubles or unsigned integers, no notations.
package enum SamplePageCodec {
    /// Encodes `columns`, whose samples must all start on `day` and be ascending by start.
    package static func encode(_ columns: SampleColumns, day: CalendarDay) -> [UInt8] {
        var writer = LittleEndianWriter()
        let integers = PageValues(of: columns)
        let implied = integers?.smallestScales
        let form = PageForm(of: columns, integers, PageNotations.mode(of: columns, implied: implied))
        writer.reserve(PageForm.longestHeader + columns.count * (4 + form.durationWidth + form.valueWidth))
        form.writeHeader(count: columns.count, day: day, to: &writer)
        let dayStart = day.utcStart.milliseconds
        writer.putColumn(columns.count, width: 4) {
            UInt64(truncatingIfNeeded: (columns.starts[$0] - dayStart) / form.startUnit)
        }
        if form.durationWidth == 0 {
            writer.put(variable: UInt64(bitPattern: (columns.durations.first ?? 0) / form.durationUnit))
        } else {
            writer.putColumn(columns.count, width: form.durationWidth) {
                UInt64(bitPattern: columns.durations[$0] / form.durationUnit)
            }
        }
        if let integers {
            integers.write(to: &writer)
        } else {
            writer.putColumn(columns.count, width: 8) { columns.values[$0].bitPattern }
        }
        if form.notations == .section { PageNotations.write(columns, implied: implied, to: &writer) }
        if !columns.zones.isEmpty { writeZones(columns, to: &writer) }
        if !columns.details.isEmpty { SampleDetailCodec.write(columns.details, to: &writer) }
        return writer.bytes
    }

    /// The version of pages that contain no notations.
    package static let formerVersion: UInt8 = 1

    /// Returns whether the encoded page contains details.
    package static func hasDetails(_ bytes: [UInt8]) -> Bool { bytes.count > 1 && bytes[1] & 16 != 0 }

    /// Returns whether the encoded page contains zones.
    package static func hasZones(_ bytes: [UInt8]) -> Bool { bytes.count > 1 && bytes[1] & 8 != 0 }

    /// Decodes a page.
    ///
    /// - Throws: `DamagedPage` for bytes that `encode` cannot have written.
    package static func decode(_ bytes: [UInt8]) throws(DamagedPage) -> SampleColumns {
        var columns = SampleColumns()
        try decode(bytes, onto: &columns)
        return columns
    }

    /// Decodes a page and appends its samples to `columns`.
    ///
    /// - Throws: `DamagedPage` for bytes that `encode` cannot have written; `columns` are then unusable.
    package static func decode(_ bytes: [UInt8], onto columns: inout SampleColumns) throws(DamagedPage) {
        var reader = LittleEndianReader(bytes)
        let (form, count, day) = try PageForm.readHeader(from: &reader)
        guard count > 0 else { throw DamagedPage() }
        // The tables of pages differ.
        guard columns.isEmpty || columns.zones.isEmpty && !form.hasZones && !form.hasDetails && !form.hasTable,
            columns.isEmpty || columns.notations == (form.notations.notation.map { [$0] } ?? [])
        else {
            return columns.append(try decode(bytes))
        }
        let first = columns.count
        let dayStart = CalendarDay(ordinal: day).utcStart.milliseconds
        try reader.column(count, width: 4, onto: &columns.starts) {
            dayStart + Int64(bitPattern: $0) &* form.startUnit
        }
        if form.durationWidth == 0 {
            let number = Int64(bitPattern: try form.isFormer ? reader.number(width: 8) : reader.variable())
            let duration = form.isFormer ? number : number &* form.durationUnit
            columns.durations.append(contentsOf: repeatElement(duration, count: count))
        } else {
            try reader.column(count, width: form.durationWidth, onto: &columns.durations) {
                Int64(bitPattern: $0) &* form.durationUnit
            }
        }
        try decodeValues(form, count: count, onto: &columns, from: &reader)
        if form.hasZones { try readZones(into: &columns, count: count, from: &reader) }
        if form.hasDetails { columns.details = try SampleDetailCodec.read(count: count, from: &reader) }
        guard reader.isAtEnd, isSound(columns, from: first, dayStart: dayStart) else { throw DamagedPage() }
    }

    private static func decodeValues(
        _ form: PageForm, count: Int, onto columns: inout SampleColumns, from reader: inout LittleEndianReader
    ) throws(DamagedPage) {
        let first = columns.values.count
        guard !form.isFormer, !form.valuesAreDoubles else {
            try reader.column(count, width: form.valueWidth, onto: &columns.values) {
                form.valuesAreDoubles ? Double(bitPattern: $0) : Double($0)
            }
            guard form.hasTable else { return }
            (columns.notations, columns.written) = try PageNotations.read(count: count, implied: nil, from: &reader)
            return
        }
        let integers = try PageValues.read(count: count, width: form.valueWidth, from: &reader)
        if form.hasTable {
            (columns.notations, columns.written) = try PageNotations.read(
                count: count, implied: integers.smallestScales, from: &reader)
        } else if let notation = form.notations.notation {
            columns.notations = [notation]
            columns.written += integers.smallestScales.map { WrittenValue(notation: 1, scale: $0) }
        }
        integers.append(to: &columns, from: first)
    }

    /// Returns whether, from the sample at `first` on, every start is on the day of the page, every sample ends by the
    /// year 9999 and not before its start, and every value is finite. Computations on decoded pages rely on it.
    private static func isSound(_ columns: SampleColumns, from first: Int, dayStart: Int64) -> Bool {
        let starts = dayStart..<dayStart + CalendarDay.millisecondsPerDay
        let durations = 0...(CalendarDay.representable.upperBound.utcStart.milliseconds - dayStart)
        return columns.starts[first...].allSatisfy(starts.contains)
            && columns.durations[first...].allSatisfy(durations.contains)
            && columns.values[first...].allSatisfy(\.isFinite)
    }

    private static func writeZones(_ columns: SampleColumns, to writer: inout LittleEndianWriter) {
        writer.put(UInt16(columns.zoneNames.count), width: 2)
        for name in columns.zoneNames { writer.put(text: name) }
        writer.putColumn(columns.count, width: 2) { UInt64(columns.zones[$0]) }
    }

    private static func readZones(
        into columns: inout SampleColumns, count: Int, from reader: inout LittleEndianReader
    ) throws(DamagedPage) {
        let names = Int(try reader.number(width: 2))
        for _ in 0..<names { columns.zoneNames.append(try reader.text()) }
        columns.zones = try reader.column(count, width: 2) { UInt16($0) }
        guard columns.zones.allSatisfy({ Int($0) <= names }) else { throw DamagedPage() }
    }
}

/// The codec of the sparse part of a page: for each sample with details its index, a bit set of the members present,
/// and those members.
private enum SampleDetailCodec {
    static func write(_ details: [Int: SampleDetail], to writer: inout LittleEndianWriter) {
        writer.put(UInt32(details.count), width: 4)
        for (index, detail) in details.sorted(by: { $0.key < $1.key }) {
            writer.put(UInt32(index), width: 4)
            writer.put(members(of: detail), width: 1)
            if let text = detail.externalID { writer.put(text: text) }
            if let version = detail.syncVersion { writer.put(UInt64(bitPattern: version), width: 8) }
            if let minimum = detail.minimum { writer.put(minimum.bitPattern, width: 8) }
            if let maximum = detail.maximum { writer.put(maximum.bitPattern, width: 8) }
            if let count = detail.measurementCount { writer.put(UInt64(bitPattern: Int64(count)), width: 8) }
            if let length = detail.stateMilliseconds { writer.put(UInt64(bitPattern: length), width: 8) }
        }
    }

    static func read(count: Int, from reader: inout LittleEndianReader) throws(DamagedPage) -> [Int: SampleDetail] {
        var details: [Int: SampleDetail] = [:]
        for _ in 0..<Int(try reader.number(width: 4)) {
            let index = Int(try reader.number(width: 4))
            guard index < count else { throw DamagedPage() }
            let members = try reader.number(width: 1)
            var detail = SampleDetail()
            if members & 1 != 0 { detail.externalID = try reader.text() }
            if members & 2 != 0 { detail.syncVersion = Int64(bitPattern: try reader.number(width: 8)) }
            if members & 4 != 0 { detail.minimum = Double(bitPattern: try reader.number(width: 8)) }
            if members & 8 != 0 { detail.maximum = Double(bitPattern: try reader.number(width: 8)) }
            if members & 16 != 0 { detail.measurementCount = Int(truncatingIfNeeded: try reader.number(width: 8)) }
            if members & 32 != 0 { detail.stateMilliseconds = Int64(bitPattern: try reader.number(width: 8)) }
            details[index] = detail
        }
        return details
    }

    private static func members(of detail: SampleDetail) -> UInt8 {
        let present = [
            detail.externalID != nil, detail.syncVersion != nil, detail.minimum != nil, detail.maximum != nil,
            detail.measurementCount != nil, detail.stateMilliseconds != nil,
        ]
        return present.enumerated().reduce(0) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }
    }
}
