/// Numbers texts by their bytes. Not by Swift's equality of strings, under which composed and decomposed letters are
/// the same, so that the first spelling met would stand for both.
struct TextTable {
    /// Most texts that are numbered; a person has some hundred sources, and memory must stay bounded.
    static let limit = 100_000
    private var ids: [[UInt8]: Int32] = [:]
    /// The texts by number; bytes that are not UTF-8 are replaced by U+FFFD.
    private(set) var strings: [String] = []

    /// The number of the text with these bytes; `nil` beyond the limit.
    mutating func id(of bytes: [UInt8]) -> Int32? {
        if let id = ids[bytes] { return id }
        guard strings.count < Self.limit else { return nil }
        let id = Int32(strings.count)
        ids[bytes] = id
        strings.append(String(decoding: bytes, as: UTF8.self))
        return id
    }
}
