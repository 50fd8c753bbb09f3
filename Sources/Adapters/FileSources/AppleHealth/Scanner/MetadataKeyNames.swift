/// Recognizes the keys of `MetadataEntry` by their bytes.
struct MetadataKeyNames {
    private let names = MetadataKey.allCases.map { (key: $0, bytes: Array($0.rawValue.utf8)) }

    /// Returns the key in `range`; `nil` if it is not interpreted.
    func match(_ window: ByteWindow, _ range: ByteRange) -> MetadataKey? {
        for (key, bytes) in names
        where bytes.count == range.count && window.matches(range.start, bytes, 0, bytes.count) {
            return key
        }
        // A key written with references may still be one of them.
        guard AttributeText.needsCare(window, range) else { return nil }
        return MetadataKey(rawValue: AttributeText(window, range).string)
    }
}
