/// The element names that the scanner interprets, as hashes of `ElementStack`.
struct ElementNames {
    let healthData = Self.number("HealthData")
    let record = Self.number("Record")
    let metadataEntry = Self.number("MetadataEntry")
    let exportDate = Self.number("ExportDate")
    let me = Self.number("Me")

    private static func number(_ name: String) -> UInt64 {
        let bytes = Array(name.utf8)
        let padded = bytes + [UInt8](repeating: 0, count: ByteWindow.slack)
        return ByteWindow.over(padded, count: bytes.count) {
            ElementStack.name($0, ByteRange(start: 0, end: bytes.count))
        } ?? 0
    }
}
