import CHealthSyncPQ
import HealthSyncDomain

/// The rows of a result in binary format.
@safe final class PostgresRows {
    private let result: OpaquePointer

    /// Takes ownership of `result`.
    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    var count: Int { Int(unsafe PQntuples(result)) }

    /// The command tag of the result, such as `COMMIT`.
    var commandTag: String { unsafe String(cString: PQcmdStatus(result)) }

    /// Returns whether a value is NULL; so is a value that does not exist.
    fileprivate func isNull(row: Int32, column: Int32) -> Bool { unsafe PQgetisnull(result, row, column) == 1 }

    /// Returns the bytes of a value, valid as long as the rows; `nil` if it is NULL or does not exist.
    @unsafe func bytes(row: Int32, column: Int32) -> UnsafeRawBufferPointer? {
        guard unsafe PQnfields(result) > column, !isNull(row: row, column: column),
            let start = unsafe PQgetvalue(result, row, column)
        else { return nil }
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
    }

    /// Returns each row, converted by `read`, which reads the columns in order.
    func map<Value>(_ read: (inout PostgresRow) throws -> Value) rethrows -> [Value] {
        try (0..<count).map { index in
            var row = PostgresRow(rows: self, index: Int32(index))
            return try read(&row)
        }
    }

    /// Returns the first row, converted by `read`; `nil` if there is no row.
    func first<Value>(_ read: (inout PostgresRow) throws -> Value) rethrows -> Value? {
        guard count > 0 else { return nil }
        var row = PostgresRow(rows: self, index: 0)
        return try read(&row)
    }
}

/// A row whose columns are read in order, each once.
@safe struct PostgresRow {
    private let rows: PostgresRows
    private let index: Int32
    private var column: Int32 = 0

    init(rows: PostgresRows, index: Int32) {
        self.rows = rows
        self.index = index
    }

    /// Reads the next column: `integer` or `bigint`.
    mutating func integer() throws -> Int64 {
        let value = unsafe try value()
        return switch value.count {
        case 4: Int64(Int32(truncatingIfNeeded: unsafe value.bigEndianNumber))
        case 8: Int64(bitPattern: unsafe value.bigEndianNumber)
        default: throw unexpected
        }
    }

    /// Reads the next column: the bits of a `bigint`.
    mutating func bits() throws -> UInt64 { UInt64(bitPattern: try integer()) }

    /// Reads the next column: `integer`.
    mutating func int4() throws -> Int32 {
        guard let number = Int32(exactly: try integer()) else { throw unexpected }
        return number
    }

    /// Reads the next column: `boolean`.
    mutating func bool() throws -> Bool { unsafe try value().elementsEqual([1]) }

    /// Reads the next column: `double precision`.
    mutating func real() throws -> Double {
        let value = unsafe try value()
        guard value.count == 8 else { throw unexpected }
        return Double(bitPattern: unsafe value.bigEndianNumber)
    }

    /// Reads the next column: `text`.
    mutating func text() throws -> String { StorableText.decoded(try bytes()) }

    /// Reads the next column: `text` as UTF-8, or `bytea`.
    mutating func bytes() throws -> [UInt8] { unsafe [UInt8](try value()) }

    /// Reads the next column: `uuid`.
    mutating func sampleID() throws -> SampleID {
        let value = unsafe try value()
        guard value.count == 16 else { throw unexpected }
        return SampleID(
            high: unsafe UnsafeRawBufferPointer(rebasing: value[..<8]).bigEndianNumber,
            low: unsafe UnsafeRawBufferPointer(rebasing: value[8...]).bigEndianNumber)
    }

    /// Reads the next column: milliseconds since 1970, in the years 1 to 9999.
    mutating func instant() throws -> Instant {
        let instant = Instant(milliseconds: try integer())
        guard instant.isRepresentable else { throw unexpected }
        return instant
    }

    /// Reads the next column: `date`.
    mutating func day() throws -> CalendarDay { PostgresDate.day(try integer()) }

    /// Reads the next column with `read`, or returns `nil` for NULL.
    mutating func optional<Value>(_ read: (inout PostgresRow) throws -> Value) throws -> Value? {
        if rows.isNull(row: index, column: column) {
            column += 1
            return nil
        }
        return try read(&self)
    }

    /// Returns the bytes of the next column, valid as long as the rows.
    private mutating func value() throws -> UnsafeRawBufferPointer {
        guard let bytes = unsafe rows.bytes(row: index, column: column) else { throw unexpected }
        column += 1
        return unsafe bytes
    }

    private var unexpected: PostgresError {
        PostgresError(kind: .rejected, sqlState: "42804", message: "the database contains a value of the wrong type")
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bigEndianNumber: UInt64 { unsafe reduce(0) { $0 << 8 | UInt64($1) } }
}
