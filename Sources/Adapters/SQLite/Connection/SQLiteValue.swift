import HealthSyncDomain

/// A value as SQLite stores it.
enum SQLiteValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text that is already UTF-8.
    case utf8([UInt8])
    case blob([UInt8])
}

/// A value that can be bound to a parameter.
protocol SQLiteBindable {
    var sqliteValue: SQLiteValue { get }
}

extension SQLiteValue: SQLiteBindable {
    var sqliteValue: SQLiteValue { self }
}

extension Int64: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(self) }
}

extension Int: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Bool: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Double: SQLiteBindable {
    var sqliteValue: SQLiteValue { .real(self) }
}

extension String: SQLiteBindable {
    var sqliteValue: SQLiteValue { .text(self) }
}

extension Instant: SQLiteBindable {
    var sqliteValue: SQLiteValue { .integer(milliseconds) }
}

extension CalendarDay: SQLiteBindable {
    var sqliteValue: SQLiteValue { .utf8(DayText.bytes(of: self)) }
}

extension ContentDigest: SQLiteBindable {
    var sqliteValue: SQLiteValue { .blob(bytes) }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
    var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
}
