import HealthSyncDomain

/// A parameter in the binary format of its type.
struct PostgresParameter {
    /// `nil` for NULL.
    var bytes: [UInt8]?

    static let null = PostgresParameter(bytes: nil)

    static func int4(_ value: Int32) -> PostgresParameter { encoded { $0.append(bigEndian: value) } }

    static func int8(_ value: Int64) -> PostgresParameter { encoded { $0.append(bigEndian: value) } }

    static func int8(_ value: Int) -> PostgresParameter { int8(Int64(value)) }

    static func instant(_ instant: Instant) -> PostgresParameter { int8(instant.milliseconds) }

    static func instant(_ instant: Instant?) -> PostgresParameter { instant.map { Self.instant($0) } ?? .null }

    static func date(_ day: CalendarDay) -> PostgresParameter { int4(PostgresDate.number(of: day)) }

    static func text(_ value: String) -> PostgresParameter { PostgresParameter(bytes: StorableText.encoded(value)) }

    static func text(_ value: String?) -> PostgresParameter { value.map { Self.text($0) } ?? .null }

    static func bytea(_ value: [UInt8]) -> PostgresParameter { PostgresParameter(bytes: value) }

    /// Returns an array parameter; `append` writes each element.
    static func array<Element>(
        _ type: PostgresArray.ElementType, of elements: some Collection<Element>,
        _ append: (inout PostgresArray, Element) -> Void
    ) -> PostgresParameter {
        var array = PostgresArray(type, count: elements.count)
        for element in elements { append(&array, element) }
        return PostgresParameter(bytes: array.bytes)
    }

    private static func encoded(_ write: (inout [UInt8]) -> Void) -> PostgresParameter {
        var bytes: [UInt8] = []
        write(&bytes)
        return PostgresParameter(bytes: bytes)
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
    }
}

/// PostgreSQL's `date`: a number of days since 2000-01-01.
enum PostgresDate {
    private static let epoch = 10_957

    static func number(of day: CalendarDay) -> Int32 { Int32(clamping: day.ordinal - epoch) }

    static func day(_ number: Int64) -> CalendarDay { CalendarDay(ordinal: Int(number) + epoch) }
}

/// An encoding of text for PostgreSQL, whose `text` cannot contain U+0000. U+0000 is stored as the noncharacter U+FFFF
/// and a `0`, and U+FFFF itself as U+FFFF and a `1`.
enum StorableText {
    private static let mark: [UInt8] = [0xEF, 0xBF, 0xBF]

    static func encoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(0) || bytes.firstRange(of: mark) != nil else { return bytes }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar.value {
            case 0: mark + [0x30]
            case 0xFFFF: mark + [0x31]
            default: Array(String(scalar).utf8)
            }
        }
    }

    static func decoded(_ bytes: [UInt8]) -> String {
        guard bytes.firstRange(of: mark) != nil else { return String(decoding: bytes, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        var isMarked = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isMarked {
                text.append(scalar == "0" ? "\0" : "\u{FFFF}")
                isMarked = false
            } else if scalar.value == 0xFFFF {
                isMarked = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

/// A one-dimensional array in PostgreSQL's binary format.
struct PostgresArray {
    /// The element types in use, by their fixed object ids.
    enum ElementType: Int32 {
        case bool = 16
        case bytea = 17
        case int8 = 20
        case int4 = 23
        case text = 25
        case float8 = 701
        case date = 1082
        case uuid = 2950
    }

    private(set) var bytes: [UInt8] = []

    init(_ type: ElementType, count: Int) {
        bytes.reserveCapacity(20 + 24 * count)
        // Number of dimensions, NULL flag, element type, length, lower bound.
        for word in [1, 1, type.rawValue, Int32(clamping: count), 1] { bytes.append(bigEndian: word) }
    }

    mutating func bool(_ value: Bool) {
        bytes.append(bigEndian: Int32(1))
        bytes.append(value ? 1 : 0)
    }

    mutating func int4(_ value: Int32?) {
        guard let value else { return null() }
        bytes.append(bigEndian: Int32(4))
        bytes.append(bigEndian: value)
    }

    mutating func int8(_ value: Int64) {
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: value)
    }

    mutating func float8(_ value: Double) {
        bytes.append(bigEndian: Int32(8))
        bytes.append(bigEndian: value.bitPattern)
    }

    mutating func date(_ day: CalendarDay) { int4(PostgresDate.number(of: day)) }

    mutating func uuid(_ id: SampleID) {
        bytes.append(bigEndian: Int32(16))
        bytes.append(bigEndian: id.high)
        bytes.append(bigEndian: id.low)
    }

    mutating func text(_ value: String?) {
        guard let value else { return null() }
        bytea(StorableText.encoded(value))
    }

    mutating func bytea(_ value: [UInt8]) {
        bytes.append(bigEndian: Int32(clamping: value.count))
        bytes += value
    }

    private mutating func null() { bytes.append(bigEndian: Int32(-1)) }
}
