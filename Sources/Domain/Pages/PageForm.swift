/// The narrowest encoding that holds the samples of a page exactly.
struct PageForm {
    /// The bytes before the starts, at most.
    static let longestHeader = 14
    /// The version of the pages that are written.
    private static let version: UInt8 = 2
    private static let notationsShift: UInt8 = 5

    /// Whether the page has the layout of earlier versions of the program.
    var isFormer = false
    var startsAreMilliseconds = false
    var durationsAreMilliseconds = false
    var valuesAreDoubles = false
    var hasZones = false
    var hasDetails = false
    var durationWidth = 0
    var valueWidth = 1
    var notations = PageNotations.Mode.unknown

    /// Whether the notations follow the values.
    var hasTable: Bool { notations == .section }

    var startUnit: Int64 { startsAreMilliseconds ? 1 : 1000 }
    var durationUnit: Int64 { durationsAreMilliseconds ? 1 : 1000 }

    private init() {}

    /// The form of `columns`, of which the values are `integers` or, for `nil`, doubles.
    init(of columns: SampleColumns, _ integers: PageValues?, _ notations: PageNotations.Mode) {
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
        valuesAreDoubles = integers == nil
        valueWidth = integers?.width ?? 8
        self.notations = notations
        hasZones = !columns.zones.isEmpty
        hasDetails = !columns.details.isEmpty
    }

    func writeHeader(count: Int, day: CalendarDay, to writer: inout LittleEndianWriter) {
        writer.put(Self.version, width: 1)
        let flags = [startsAreMilliseconds, durationsAreMilliseconds, valuesAreDoubles, hasZones, hasDetails]
        let bits = flags.enumerated().reduce(UInt8(0)) { $1.element ? $0 | 1 << UInt8($1.offset) : $0 }
        writer.put(bits | notations.rawValue << Self.notationsShift, width: 1)
        writer.put(UInt8(durationWidth), width: 1)
        writer.put(UInt8(valueWidth), width: 1)
        writer.put(variable: UInt64(count))
        writer.put(UInt32(bitPattern: Int32(truncatingIfNeeded: day.ordinal)), width: 4)
    }

    static func readHeader(
        from reader: inout LittleEndianReader
    ) throws(DamagedPage) -> (form: PageForm, count: Int, day: Int) {
        let version = UInt8(truncatingIfNeeded: try reader.number(width: 1))
        guard version == Self.version || version == SamplePageCodec.formerVersion else { throw DamagedPage() }
        var form = PageForm()
        form.isFormer = version == SamplePageCodec.formerVersion
        let flags = UInt8(truncatingIfNeeded: try reader.number(width: 1))
        form.startsAreMilliseconds = flags & 1 != 0
        form.durationsAreMilliseconds = flags & 2 != 0
        form.valuesAreDoubles = flags & 4 != 0
        form.hasZones = flags & 8 != 0
        form.hasDetails = flags & 16 != 0
        form.durationWidth = Int(try reader.number(width: 1))
        form.valueWidth = Int(try reader.number(width: 1))
        let widths = form.isFormer ? [1, 2, 4, 8] : PageValues.widths
        guard [0, 1, 2, 4, 8].contains(form.durationWidth), widths.contains(form.valueWidth),
            !form.valuesAreDoubles || form.valueWidth == 8
        else { throw DamagedPage() }
        if !form.isFormer {
            guard flags >> Self.notationsShift <= PageNotations.Mode.feedCanonical.rawValue,
                let mode = PageNotations.Mode(rawValue: flags >> Self.notationsShift),
                mode == .unknown || mode == .section || !form.valuesAreDoubles
            else { throw DamagedPage() }
            form.notations = mode
        }
        let count = try form.isFormer ? reader.number(width: 4) : reader.variable()
        let number = try reader.number(width: form.isFormer ? 8 : 4)
        let day = form.isFormer ? Int64(bitPattern: number) : Int64(Int32(truncatingIfNeeded: number))
        guard let count = Int(exactly: count), let ordinal = Int(exactly: day),
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
