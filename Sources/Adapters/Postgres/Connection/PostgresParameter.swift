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
