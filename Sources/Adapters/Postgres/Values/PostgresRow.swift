import CHealthSyncPQ
import HealthSyncDomain

/// A row whose columns are read in order, each once.
@safe struct PostgresRow {
    private let rows: PostgresRows
    private let index: Int32
    private var column: Int32 = 0

    init(rows: PostgresRows, index: Int32) {
        self.rows = rows
        self.index = index
    }

    /// The next column, `integer` or `bigint`.
    mutating func integer() throws -> Int64 {
        let value = unsafe try value()
        return switch value.count {
        case 4: Int64(Int32(truncatingIfNeeded: unsafe value.bigEndianNumber))
        case 8: Int64(bitPattern: unsafe value.bigEndianNumber)
        default: throw unexpected
        }
    }

    /// The next column, `integer`.
    mutating func int4() throws -> Int32 {
        guard let number = Int32(exactly: try integer()) else { throw unexpected }
        return number
    }

    /// The next column, `boolean`.
    mutating func bool() throws -> Bool { unsafe try value().elementsEqual([1]) }

    /// The next column, `double precision`.
    mutating func real() throws -> Double {
        let value = unsafe try value()
        guard value.count == 8 else { throw unexpected }
        return Double(bitPattern: unsafe value.bigEndianNumber)
    }

    /// The next column, `text`.
    mutating func text() throws -> String { StorableText.decoded(try bytes()) }

    /// The next column, `text` as its UTF-8, or `bytea`.
    mutating func bytes() throws -> [UInt8] { unsafe [UInt8](try value()) }

    /// The next column, `uuid`.
    mutating func sampleID() throws -> SampleID {
        let value = unsafe try value()
        guard value.count == 16 else { throw unexpected }
        return SampleID(
            high: unsafe UnsafeRawBufferPointer(rebasing: value[..<8]).bigEndianNumber,
            low: unsafe UnsafeRawBufferPointer(rebasing: value[8...]).bigEndianNumber)
    }

    /// The next column, milliseconds since 1970.
    mutating func instant() throws -> Instant { Instant(milliseconds: try integer()) }

    /// The next column, `date`.
    mutating func day() throws -> CalendarDay { PostgresDate.day(try integer()) }

    /// The next column by `read`, or `nil` for NULL.
    mutating func optional<Value>(_ read: (inout PostgresRow) throws -> Value) throws -> Value? {
        if unsafe PQgetisnull(rows.result, index, column) == 1 {
            column += 1
            return nil
        }
        return try read(&self)
    }

    /// The next column's bytes, good as long as the rows.
    private mutating func value() throws -> UnsafeRawBufferPointer {
        guard unsafe PQnfields(rows.result) > column, unsafe PQgetisnull(rows.result, index, column) == 0,
            let start = unsafe PQgetvalue(rows.result, index, column)
        else { throw unexpected }
        let count = Int(unsafe PQgetlength(rows.result, index, column))
        column += 1
        return unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    private var unexpected: PostgresError {
        PostgresError(kind: .refused, sqlState: "42804", message: "the database holds a value of the wrong type")
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bigEndianNumber: UInt64 { unsafe reduce(0) { $0 << 8 | UInt64($1) } }
}
