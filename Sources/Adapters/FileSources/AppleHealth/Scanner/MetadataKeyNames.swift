/// Recognises the keys of `MetadataEntry` by their bytes.
struct MetadataKeyNames {
    private let names = MetadataKey.allCases.map { (key: $0, bytes: Array($0.rawValue.utf8)) }

    /// The key that the bytes of `range` stand for; `nil` for one that has no meaning here.
    func match(_ window: ByteWindow, _ range: ByteRange) -> MetadataKey? {
        for (key, bytes) in names
        where bytes.count == range.count && window.matches(range.start, bytes, 0, bytes.count) {
            return key
        }
        // Written with references it may still be one of them.
        guard AttributeText.needsCare(window, range) else { return nil }
        return MetadataKey(rawValue: AttributeText(window, range).string)
    }
}
