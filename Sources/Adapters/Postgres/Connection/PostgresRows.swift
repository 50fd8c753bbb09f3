import CHealthSyncPQ

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
    func isNull(row: Int32, column: Int32) -> Bool { unsafe PQgetisnull(result, row, column) == 1 }

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
