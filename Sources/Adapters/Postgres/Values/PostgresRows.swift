import CHealthSyncPQ

/// The rows that a statement gave, in binary form.
@safe final class PostgresRows {
    let result: OpaquePointer

    /// Takes over `result`.
    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    var count: Int { Int(unsafe PQntuples(result)) }

    /// What the server says was done, such as `COMMIT`.
    var commandTag: String { unsafe String(cString: PQcmdStatus(result)) }

    /// Each row by `read`, which takes the columns in order.
    func map<Value>(_ read: (inout PostgresRow) throws -> Value) rethrows -> [Value] {
        try (0..<count).map { index in
            var row = PostgresRow(rows: self, index: Int32(index))
            return try read(&row)
        }
    }

    /// The first row by `read`; `nil` where there is none.
    func first<Value>(_ read: (inout PostgresRow) throws -> Value) rethrows -> Value? {
        guard count > 0 else { return nil }
        var row = PostgresRow(rows: self, index: 0)
        return try read(&row)
    }
}
