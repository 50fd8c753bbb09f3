import CHealthSyncJSON

/// The error for bytes that are not exactly one JSON value.
struct InvalidJSON: Error {}

/// Parses JSON with simdjson.
enum JSONText {
    /// Returns whether `bytes` contain more than `limit` values. Parsing needs memory for each value, some of which take
    /// only two bytes of the text.
    static func hasMoreValues(_ bytes: [UInt8], than limit: Int) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { unsafe healthsync_json_exceeds($0.baseAddress, $0.count, limit) }
    }

    /// Parses `bytes` and calls `body` with the root value, which is valid only until `body` returns.
    static func read<Result>(_ bytes: [UInt8], _ body: (JSONValue) throws -> Result) throws -> Result {
        var root = unsafe healthsync_json_value()
        let text = unsafe bytes.withUnsafeBufferPointer {
            unsafe healthsync_json_open($0.baseAddress, $0.count, &root)
        }
        guard let text = unsafe text else { throw InvalidJSON() }
        defer { unsafe healthsync_json_close(text) }
        return try body(unsafe JSONValue(root))
    }
}
