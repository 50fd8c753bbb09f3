import CHealthSyncSQLite
import HealthSyncDomain

/// A prepared statement and, while it is stepped, its current row. Columns are read in order, each once.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer
    private let path: String
    private var column: Int32 = 0
    /// Whether a caller is stepping the statement.
    var isInUse = false

    init(_ sql: String, connection: OpaquePointer, path: String) throws {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection, sql, -1, UInt32(bitPattern: SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            throw unsafe SQLiteFailure.failure(
                code, path: path, message: String(cString: sqlite3_errmsg(connection)))
        }
        unsafe self.handle = handle
        self.path = path
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Binds the values of `rows` to the parameters, one row after another.
    func bind(_ rows: ArraySlice<[any SQLiteBindable]>) throws {
        var index: Int32 = 0
        for row in rows {
            for value in row {
                index += 1
                try bind(value.sqliteValue, at: index)
            }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws {
        let code: Int32 =
            switch value {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer(let integer): unsafe sqlite3_bind_int64(handle, index, integer)
            case .real(let real): unsafe sqlite3_bind_double(handle, index, real)
            case .text(var text):
                text.withUTF8 { bytes in
                    unsafe healthsync_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            case .utf8(let text):
                unsafe text.withUnsafeBytes { bytes in
                    unsafe healthsync_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            case .blob(let blob):
                unsafe blob.withUnsafeBytes { bytes in
                    unsafe healthsync_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            }
        guard code == SQLITE_OK else { throw failure() }
    }

    /// Advances to the next row; returns false after the last one.
    func step() throws -> Bool {
        column = 0
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    /// Resets the statement for its next use and releases the bound values.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        isInUse = false
    }

    private func failure() -> SyncFailure {
        // The connection exists at least as long as its statements.
        let connection = unsafe sqlite3_db_handle(handle)
        return unsafe SQLiteFailure.failure(
            sqlite3_extended_errcode(connection), path: path, message: String(cString: sqlite3_errmsg(connection)))
    }

    /// Returns the failure for a value in the last read column that this program would not have written.
    private func unexpectedValue() -> SyncFailure {
        SQLiteFailure.damaged(path, "\(columnName(column - 1)) contains an unexpected value")
    }

    /// Returns `table.column`, or the text of the expression.
    private func columnName(_ index: Int32) -> String {
        let parts = unsafe [sqlite3_column_table_name(handle, index), sqlite3_column_origin_name(handle, index)]
            .compactMap { name in unsafe name.map { unsafe String(cString: $0) } }
        if parts.count == 2 { return parts.joined(separator: ".") }
        return unsafe sqlite3_column_name(handle, index).map { unsafe String(cString: $0) } ?? "a column"
    }
}

extension SQLiteStatement {
    /// Reads the next column: an integer of at most 53 bits, so that sums and differences cannot overflow. The program
    /// stores no larger integers.
    func integer() throws -> Int64 {
        guard try nextType() == SQLITE_INTEGER else { throw unexpectedValue() }
        let value = unsafe sqlite3_column_int64(handle, column - 1)
        guard value.magnitude <= 1 << 53 else { throw unexpectedValue() }
        return value
    }

    /// Reads the next column: an integer of at most 53 bits.
    func int() throws -> Int { Int(try integer()) }

    /// Reads the next column: the 64 bits of an integer.
    func bits() throws -> UInt64 {
        guard try nextType() == SQLITE_INTEGER else { throw unexpectedValue() }
        return unsafe UInt64(bitPattern: sqlite3_column_int64(handle, column - 1))
    }

    /// Reads the next column: the milliseconds of a night or session, from 0 to 100 years.
    func duration() throws -> Int64 {
        let value = try integer()
        guard (0...Self.longestDuration).contains(value) else { throw unexpectedValue() }
        return value
    }

    /// Reads the next column: an offset in seconds east of UTC, less than a day.
    func utcOffset() throws -> Int64 {
        let value = try integer()
        guard value.magnitude < 86_400 else { throw unexpectedValue() }
        return value
    }

    private static let longestDuration: Int64 = 100 * 366 * 86_400_000

    /// Reads the next column: 0 or 1.
    func bool() throws -> Bool { try integer() != 0 }

    /// Reads the next column: a finite number.
    func real() throws -> Double {
        let type = try nextType()
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw unexpectedValue() }
        let value = unsafe sqlite3_column_double(handle, column - 1)
        guard value.isFinite else { throw unexpectedValue() }
        return value
    }

    /// Reads the next column: text.
    func text() throws -> String {
        guard try nextType() == SQLITE_TEXT else { throw unexpectedValue() }
        return unsafe String(decoding: raw(sqlite3_column_text(handle, column - 1)), as: UTF8.self)
    }

    /// Reads the next column: text, as UTF-8.
    func utf8() throws -> [UInt8] {
        guard try nextType() == SQLITE_TEXT else { throw unexpectedValue() }
        return unsafe [UInt8](raw(sqlite3_column_text(handle, column - 1)))
    }

    /// Reads the next column: bytes.
    func blob() throws -> [UInt8] {
        guard try nextType() == SQLITE_BLOB else { throw unexpectedValue() }
        return unsafe [UInt8](raw(sqlite3_column_blob(handle, column - 1)))
    }

    /// Reads the next column: milliseconds since 1970, in the years 1 to 9999.
    func instant() throws -> Instant {
        let instant = Instant(milliseconds: try integer())
        guard instant.isRepresentable else { throw unexpectedValue() }
        return instant
    }

    /// Reads the next column: a day as `YYYY-MM-DD`.
    func day() throws -> CalendarDay {
        guard let day = CalendarDay(utf8: try utf8()) else { throw unexpectedValue() }
        return day
    }

    /// Reads the next column: a digest of 16 bytes.
    func digest() throws -> ContentDigest {
        guard let digest = ContentDigest(try blob()) else { throw unexpectedValue() }
        return digest
    }

    /// Reads the next column with `read`, or returns `nil` for NULL.
    func optional<Value>(_ read: (SQLiteStatement) throws -> Value) throws -> Value? {
        if unsafe sqlite3_column_type(handle, column) == SQLITE_NULL {
            column += 1
            return nil
        }
        return try read(self)
    }

    private func nextType() throws -> Int32 {
        defer { column += 1 }
        return unsafe sqlite3_column_type(handle, column)
    }

    /// Returns the bytes of the last read column, valid until the next row.
    private func raw(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
        guard let start = unsafe start else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column - 1)))
    }
}

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

/// Days as the database stores them: `YYYY-MM-DD`, which is readable and sorts by date.
private enum DayText {
    /// The range of day ordinals that four-digit years can represent.
    static let extent: ClosedRange<Int> = -719_528...2_932_896  // 0000-01-01...9999-12-31

    /// Returns the ten bytes of `day`. Days outside `extent`, which contain no samples, are clamped to it.
    static func bytes(of day: CalendarDay) -> [UInt8] {
        let ordinal = min(max(day.ordinal, extent.lowerBound), extent.upperBound)
        let (year, month, dayOfMonth) = CalendarDay(ordinal: ordinal).components
        func digit(_ number: Int) -> UInt8 { 0x30 + UInt8(truncatingIfNeeded: number % 10) }
        return [
            digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), 0x2D,
            digit(month / 10), digit(month), 0x2D, digit(dayOfMonth / 10), digit(dayOfMonth),
        ]
    }
}
