/// The notations of a page and how each value is written.
///
/// Most pages have one notation of the canonical unit, which the flags of the page state. Otherwise a section follows the
/// values:
///
/// ```
/// u8  number of notations; each: u8 bit 0 a factor follows, bit 1 an offset follows, bit 2 zeros are dropped;
///     u8 length + UTF-8 of the unit, empty for the canonical one; f64 factor, f64 offset
/// u8  bit 0 the notations of the values follow (else all have the first), bit 1 their scales follow (else all have the
///     next byte, or of integers the smallest scale)
/// …   u8 notation of each value, 0 for unknown; i8 scale of each value
/// ```
enum PageNotations {
    /// How a page states its notations: two bits of its flags.
    enum Mode: UInt8 {
        /// No notation is known.
        case unknown = 0
        /// A section follows the values.
        case section = 1
        /// All values have the notation of an export in the canonical unit.
        case exportCanonical = 2
        /// All values have the notation of a feed in the canonical unit.
        case feedCanonical = 3

        var notation: ValueNotation? {
            switch self {
            case .exportCanonical: .exportCanonical
            case .feedCanonical: .feedCanonical
            case .unknown, .section: nil
            }
        }
    }

    private static let hasFactor: UInt8 = 1
    private static let hasOffset: UInt8 = 2
    private static let dropsZeros: UInt8 = 4
    private static let notationsFollow: UInt8 = 1
    private static let scalesFollow: UInt8 = 2

    /// Returns the mode of the notations of `columns`. `implied` are the scales that follow from the stored values; `nil`
    /// if they are doubles.
    static func mode(of columns: SampleColumns, implied: [Int8]?) -> Mode {
        guard columns.written.contains(where: { $0.notation > 0 }) else { return .unknown }
        guard let implied, columns.notations.count == 1,
            zip(columns.written, implied).allSatisfy({ $0.notation == 1 && $0.scale == $1 })
        else { return .section }
        if columns.notations[0] == .exportCanonical { return .exportCanonical }
        return columns.notations[0] == .feedCanonical ? .feedCanonical : .section
    }

    static func write(_ columns: SampleColumns, implied: [Int8]?, to writer: inout LittleEndianWriter) {
        writer.put(UInt8(truncatingIfNeeded: columns.notations.count), width: 1)
        for notation in columns.notations { write(notation, to: &writer) }
        let areEqual = columns.written.allSatisfy { $0.notation == 1 }
        let first = columns.written.first?.scale ?? 0
        let follow: Bool
        if let implied {
            follow = zip(columns.written, implied).contains { $0.notation > 0 && $0.scale != $1 }
        } else {
            follow = columns.written.contains { $0.scale != first }
        }
        writer.put((areEqual ? 0 : notationsFollow) | (follow ? scalesFollow : 0), width: 1)
        if !areEqual {
            writer.putColumn(columns.count, width: 1) { UInt64(columns.written[$0].notation) }
        }
        if follow {
            writer.putColumn(columns.count, width: 1) { UInt64(UInt8(bitPattern: columns.written[$0].scale)) }
        } else if implied == nil {
            writer.put(UInt8(bitPattern: first), width: 1)
        }
    }

    /// Reads the section of a page of `count` values.
    static func read(
        count: Int, implied: [Int8]?, from reader: inout LittleEndianReader
    ) throws(DamagedPage) -> (notations: [ValueNotation], written: [WrittenValue]) {
        let number = Int(try reader.number(width: 1))
        guard number > 0 else { throw DamagedPage() }
        var notations: [ValueNotation] = []
        for _ in 0..<number { notations.append(try notation(from: &reader)) }
        let layout = UInt8(truncatingIfNeeded: try reader.number(width: 1))
        var numbers = [UInt8](repeating: 1, count: layout & notationsFollow == 0 ? count : 0)
        if layout & notationsFollow != 0 {
            numbers = try reader.column(count, width: 1) { UInt8(truncatingIfNeeded: $0) }
        }
        let scales: [Int8]
        if layout & scalesFollow != 0 {
            scales = try reader.column(count, width: 1) { Int8(bitPattern: UInt8(truncatingIfNeeded: $0)) }
        } else if let implied {
            scales = implied
        } else {
            let scale = Int8(bitPattern: UInt8(truncatingIfNeeded: try reader.number(width: 1)))
            scales = [Int8](repeating: scale, count: count)
        }
        guard numbers.allSatisfy({ Int($0) <= number }), scales.allSatisfy(isScale) else { throw DamagedPage() }
        return (
            notations,
            zip(numbers, scales).map { $0 == 0 ? .unknown : WrittenValue(notation: UInt16($0), scale: $1) }
        )
    }

    fileprivate static func isScale(_ scale: Int8) -> Bool {
        scale == WrittenValue.full || Int(scale).magnitude <= DecimalPlaces.mostDecimals
    }

    fileprivate static func write(_ notation: ValueNotation, to writer: inout LittleEndianWriter) {
        let conversion = notation.conversion
        writer.put(
            (conversion.factor == 1 ? 0 : hasFactor) | (conversion.offset == 0 ? 0 : hasOffset)
                | (notation.dropsZeros ? dropsZeros : 0), width: 1)
        let unit = Array(notation.unit.utf8.prefix(Int(UInt8.max)))
        writer.put(UInt8(unit.count), width: 1)
        for byte in unit { writer.put(byte, width: 1) }
        if conversion.factor != 1 { writer.put(conversion.factor.bitPattern, width: 8) }
        if conversion.offset != 0 { writer.put(conversion.offset.bitPattern, width: 8) }
    }

    fileprivate static func notation(from reader: inout LittleEndianReader) throws(DamagedPage) -> ValueNotation {
        let kind = UInt8(truncatingIfNeeded: try reader.number(width: 1))
        let unit = try reader.text(length: Int(try reader.number(width: 1)))
        var (factor, offset) = (1.0, 0.0)
        if kind & hasFactor != 0 { factor = Double(bitPattern: try reader.number(width: 8)) }
        if kind & hasOffset != 0 { offset = Double(bitPattern: try reader.number(width: 8)) }
        guard factor.isFinite, factor != 0, offset.isFinite else { throw DamagedPage() }
        return ValueNotation(
            unit: unit, conversion: UnitConversion(factor: factor, offset: offset),
            dropsZeros: kind & dropsZeros != 0)
    }
}

extension WrittenNumber {
    /// The scale and the notation, as a table stores them.
    package var bytes: [UInt8] {
        var writer = LittleEndianWriter()
        writer.put(UInt8(bitPattern: scale), width: 1)
        PageNotations.write(notation, to: &writer)
        return writer.bytes
    }

    /// Reads what `bytes` returned.
    ///
    /// - Throws: `DamagedPage` for other bytes.
    package init(bytes: [UInt8]) throws(DamagedPage) {
        var reader = LittleEndianReader(bytes)
        let scale = Int8(bitPattern: UInt8(truncatingIfNeeded: try reader.number(width: 1)))
        let notation = try PageNotations.notation(from: &reader)
        guard reader.isAtEnd, PageNotations.isScale(scale) else { throw DamagedPage() }
        self.init(notation: notation, scale: scale)
    }
}
