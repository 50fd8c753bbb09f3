/// The narrowest encoding that holds the samples of a page exactly.
struct PageForm {
    /// The bytes before the starts, at most.
    static let longestHeader = 14
    /// The version of the pages that are written.
    private static let version: UInt8 = 2
    private static let notationsShift: UInt8 = 5

    /// Whether the page has the layout of earlier versions of the program.
    var isFormer = false
    private var startsAreMilliseconds = false
    private var durationsAreMilliseconds = false
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

/// The values of a page as integers at a common scale: the numbers that the source wrote, of which the stored values
/// follow exactly. Pages with other values contain doubles.
///
/// ```
/// u8  common scale: a written number is an integer × 10^−scale
/// …   the smallest integer: zigzag, 7 bits a byte, the lowest first
///     the differences to it, in 0 (all are equal), 1, 2, 3, 4 or 8 bytes each
/// ```
struct PageValues {
    /// The widths of a difference, in bytes.
    static let widths = [0, 1, 2, 3, 4, 8]

    let scale: Int
    let integers: [Int64]

    private init(scale: Int, integers: [Int64]) {
        self.scale = scale
        self.integers = integers
    }

    /// Creates the integers of `columns`; `nil` if a value does not follow exactly from one.
    init?(of columns: SampleColumns) {
        var scale = 0
        for (row, form) in columns.written.enumerated() where form.notation > 0 {
            if form.scale == WrittenValue.full {
                guard columns.values[row] == columns.values[row].rounded() else { return nil }
            } else {
                scale = max(scale, Int(form.scale))
            }
        }
        guard scale <= DecimalPlaces.mostDecimals else { return nil }
        let power = DecimalPlaces.powers[scale]
        var integers: [Int64] = []
        integers.reserveCapacity(columns.count)
        for row in 0..<columns.count {
            let value = columns.values[row]
            let conversion = Self.conversion(columns, row)
            let number =
                conversion.map { $0.factor == 1 ? value - $0.offset : (value - $0.offset) / $0.factor } ?? value
            let rounded = (number * power).rounded()
            guard rounded.magnitude < DecimalPlaces.largestInteger else { return nil }
            let integer = Int64(rounded)
            // Not for −0, and not if the conversion rounds differently.
            guard Self.value(Double(integer), power, conversion).bitPattern == value.bitPattern else { return nil }
            integers.append(integer)
        }
        self.init(scale: scale, integers: integers)
    }

    /// For each integer the smallest scale at which it is one, at least 0.
    var smallestScales: [Int8] {
        guard scale > 0 else { return [Int8](repeating: 0, count: integers.count) }
        return integers.map { integer in
            var (integer, scale) = (integer, integer == 0 ? 0 : scale)
            while scale > 0, integer.isMultiple(of: 10) { (integer, scale) = (integer / 10, scale - 1) }
            return Int8(scale)
        }
    }

    /// Returns the bytes of one difference.
    var width: Int {
        guard let least = integers.min(), let most = integers.max() else { return 0 }
        switch UInt64(most - least) {
        case 0: return 0
        case ...0xFF: return 1
        case ...0xFFFF: return 2
        case ...0xFF_FFFF: return 3
        case ...0xFFFF_FFFF: return 4
        default: return 8
        }
    }

    func write(to writer: inout LittleEndianWriter) {
        let least = integers.min() ?? 0
        let width = width
        writer.put(UInt8(scale), width: 1)
        writer.put(variable: UInt64(bitPattern: (least << 1) ^ (least >> 63)))
        if width > 0 { writer.putColumn(integers.count, width: width) { UInt64(integers[$0] - least) } }
    }

    /// Reads `count` integers with differences of `width` bytes. The reader contains at least `count` bytes.
    static func read(
        count: Int, width: Int, from reader: inout LittleEndianReader
    ) throws(DamagedPage) -> PageValues {
        let scale = Int(try reader.number(width: 1))
        guard scale <= DecimalPlaces.mostDecimals else { throw DamagedPage() }
        let zigzag = try reader.variable()
        let least = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
        let limit = Int64(DecimalPlaces.largestInteger)
        guard -limit < least, least < limit else { throw DamagedPage() }
        var integers = [Int64](repeating: least, count: width == 0 ? count : 0)
        if width > 0 {
            try reader.column(count, width: width, onto: &integers) { least &+ Int64(bitPattern: $0) }
        }
        guard integers.allSatisfy({ -limit < $0 && $0 < limit }) else { throw DamagedPage() }
        return PageValues(scale: scale, integers: integers)
    }

    /// Appends the values, which are written as `columns` states from the row `first` on.
    func append(to columns: inout SampleColumns, from first: Int) {
        let power = DecimalPlaces.powers[scale]
        let canonical = UnitConversion(factor: 1)
        if columns.notations.allSatisfy({ $0.conversion == canonical }) {
            columns.values.append(contentsOf: integers.lazy.map { Double($0) / power })
            return
        }
        for (row, integer) in integers.enumerated() {
            columns.values.append(
                Self.value(Double(integer), power, Self.conversion(columns, first + row)))
        }
    }

    private static func conversion(_ columns: SampleColumns, _ row: Int) -> UnitConversion? {
        guard !columns.written.isEmpty, columns.written[row].notation > 0 else { return nil }
        return columns.notations[Int(columns.written[row].notation) - 1].conversion
    }

    private static func value(_ integer: Double, _ power: Double, _ conversion: UnitConversion?) -> Double {
        conversion.map { $0(integer / power) } ?? integer / power
    }
}
