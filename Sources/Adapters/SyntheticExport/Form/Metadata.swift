/// Metadata children of a record in Apple's layout.
enum Metadata {
    static func entry(_ key: String, _ value: String) -> [UInt8] {
        Array("  <MetadataEntry key=\"\(key)\" value=\"\(value)\"/>\n".utf8)
    }

    static let userEntered = entry("HKWasUserEntered", "1")
}
