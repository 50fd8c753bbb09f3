/// The codec of page bytes. The layout is little-endian, versioned by its first byte and documented in
/// docs/database.md.
///
/// ```
/// 0  u8   version, 1
/// 1  u8   flags: bit 0 starts are milliseconds (else seconds), bit 1 durations are milliseconds (else seconds),
///         bit 2 values are IEEE 754 doubles (else unsigned integers), bit 3 zones follow, bit 4 details follow
/// 2  u8   bytes of one duration: 0 (all are equal to the first), 1, 2, 4 or 8
/// 3  u8   bytes of one value: 1, 2, 4 or 8
/// 4  u32  count
/// 8  i64  UTC day, in days since 1970
/// 16 u32  start of each sample, from the start of the UTC day, ascending
///    …    durations, values
///    …    zones: u16 number of names, each u16 length + UTF-8; then u16 for each sample, 0 for none
///    …    details: u32 number; each u32 index, u8 members, then the members in order
/// ```
package enum SamplePageCodec {
    /// Encodes `columns`, whose samples must all start on `day` and be ascending by start.
    package static func encode(_ columns: SampleColumns, day: CalendarDay) -> [UInt8] {
        var writer = LittleEndianWriter()
        let form = PageForm(of: columns)
        writer.reserve(16 + columns.count * (4 + form.durationWidth + form.valueWidth))
        form.writeHeader(count: columns.count, day: day, to: &writer)
        let dayStart = day.utcStart.milliseconds
        writer.putColumn(columns.count, width: 4) {
            UInt64(truncatingIfNeeded: (columns.starts[$0] - dayStart) / form.startUnit)
        }
        if form.durationWidth == 0 {
            writer.put(UInt64(bitPattern: columns.durations.first ?? 0), width: 8)
        } else {
            writer.putColumn(columns.count, width: form.durationWidth) {
                UInt64(bitPattern: columns.durations[$0] / form.durationUnit)
            }
        }
        writer.putColumn(columns.count, width: form.valueWidth) {
            form.valuesAreDoubles ? columns.values[$0].bitPattern : UInt64(columns.values[$0])
        }
        if !columns.zones.isEmpty { writeZones(columns, to: &writer) }
        if !columns.details.isEmpty { SampleDetailCodec.write(columns.details, to: &writer) }
        return writer.bytes
    }

    /// Returns whether the encoded page contains details.
    package static func hasDetails(_ bytes: [UInt8]) -> Bool { bytes.count > 1 && bytes[1] & 16 != 0 }

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
        guard columns.isEmpty || columns.zones.isEmpty && !form.hasZones && !form.hasDetails else {
            return columns.append(try decode(bytes))
        }
        let first = columns.count
        let dayStart = CalendarDay(ordinal: day).utcStart.milliseconds
        try reader.column(count, width: 4, onto: &columns.starts) {
            dayStart + Int64(bitPattern: $0) &* form.startUnit
        }
        if form.durationWidth == 0 {
            let duration = Int64(bitPattern: try reader.number(width: 8))
            columns.durations.append(contentsOf: repeatElement(duration, count: count))
        } else {
            try reader.column(count, width: form.durationWidth, onto: &columns.durations) {
                Int64(bitPattern: $0) &* form.durationUnit
            }
        }
        try reader.column(count, width: form.valueWidth, onto: &columns.values) {
            form.valuesAreDoubles ? Double(bitPattern: $0) : Double($0)
        }
        if form.hasZones { try readZones(into: &columns, count: count, from: &reader) }
        if form.hasDetails { columns.details = try SampleDetailCodec.read(count: count, from: &reader) }
        guard reader.isAtEnd, isSound(columns, from: first, dayStart: dayStart) else { throw DamagedPage() }
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

/// The error for bytes that are not a valid page.
package struct DamagedPage: Error, Sendable {
    package init() {}
}

/// The narrowest encoding that holds the samples of a page exactly.
struct PageForm {
    var startsAreMilliseconds = false
    var durationsAreMilliseconds = false
    var valuesAreDoubles = false
    var hasZones = false
    var hasDetails = false
    var durationWidth = 0
    var valueWidth = 1

    var startUnit: Int64 { startsAreMilliseconds ? 1 : 1000 }
    var durationUnit: Int64 { durationsAreMilliseconds ? 1 : 1000 }

    private init() {}

    init(of columns: SampleColumns) {
        startsAreMilliseconds = columns.starts.contains { $0 % 1000 != 0 }
        let first = columns.durations.first
        var longest: Int64 = 0
        var allEqual = true
        for duration in columns.durations {
            if duration % 1000 != 0 { durationsAreMilliseconds = true }
            if duration != first { allEqual = false }
            longest = max(longest, duration)
        }
        durationWidth = allEqual ? 0 : Self.width(UInt64(longest / durationUnit))
        var largest = 0.0
        for value in columns.values {
            if value < 0 || value > 4_294_967_295 || value != value.rounded(.towardZero)
                || (value == 0 && value.sign == .minus)
            {
                valuesAreDoubles = true
                break
            }
            largest = max(largest, value)
        }
        valueWidth = valuesAreDoubles ? 8 : Self.width(UInt64(largest))
        hasZones = !columns.zones.isEmpty
        hasDetails = !columns.details.isEmpty
    }

    func writeHeader(count: Int, day: CalendarDay, to writer: inout LittleEndianWriter) {
        writer.put(UInt8(1), width: 1)
        let flags = [startsAreMilliseconds, durationsAreMilliseconds, valuesAreDoubles, hasZones, hasDetails]
        writer.put(flags.enumerated().reduce(UInt8(0)) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }, width: 1)
        writer.put(UInt8(durationWidth), width: 1)
        writer.put(UInt8(valueWidth), width: 1)
        writer.put(UInt32(count), width: 4)
        writer.put(UInt64(bitPattern: Int64(day.ordinal)), width: 8)
    }

    static func readHeader(
        from reader: inout LittleEndianReader
    ) throws(DamagedPage) -> (form: PageForm, count: Int, day: Int) {
        guard try reader.number(width: 1) == 1 else { throw DamagedPage() }
        var form = PageForm()
        let flags = try reader.number(width: 1)
        form.startsAreMilliseconds = flags & 1 != 0
        form.durationsAreMilliseconds = flags & 2 != 0
        form.valuesAreDoubles = flags & 4 != 0
        form.hasZones = flags & 8 != 0
        form.hasDetails = flags & 16 != 0
        form.durationWidth = Int(try reader.number(width: 1))
        form.valueWidth = Int(try reader.number(width: 1))
        guard [0, 1, 2, 4, 8].contains(form.durationWidth), [1, 2, 4, 8].contains(form.valueWidth),
            !form.valuesAreDoubles || form.valueWidth == 8
        else { throw DamagedPage() }
        let count = Int(try reader.number(width: 4))
        let day = Int64(bitPattern: try reader.number(width: 8))
        guard let ordinal = Int(exactly: day),
            CalendarDay.representable.contains(CalendarDay(ordinal: ordinal))
        else { throw DamagedPage() }
        return (form, count, ordinal)
    }

    private static func width(_ largest: UInt64) -> Int {
        switch largest {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
