/// Assigns numbers to texts by their bytes. Swift's string equality treats composed and decomposed characters as equal,
/// so the first spelling would replace the other.
struct TextTable {
    /// The maximum number of texts. A user has some hundred sources, and memory must stay bounded.
    static let limit = 100_000
    private var ids: [[UInt8]: Int32] = [:]
    /// The texts, by number; invalid UTF-8 is replaced by U+FFFD.
    private(set) var strings: [String] = []

    /// Returns the number of the text with these bytes; `nil` beyond the limit.
    mutating func id(of bytes: [UInt8]) -> Int32? {
        if let id = ids[bytes] { return id }
        guard strings.count < Self.limit else { return nil }
        let id = Int32(strings.count)
        ids[bytes] = id
        strings.append(String(decoding: bytes, as: UTF8.self))
        return id
    }
}
