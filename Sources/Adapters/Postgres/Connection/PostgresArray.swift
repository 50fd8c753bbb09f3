import HealthSyncDomain

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
