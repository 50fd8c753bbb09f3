import CHealthSyncJSON

/// A text that is not one JSON value.
struct InvalidJSON: Error {}

/// Reading of JSON by simdjson.
enum JSONText {
    /// Checks `bytes` and calls `body` with the root, which is good only until `body` returns.
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
