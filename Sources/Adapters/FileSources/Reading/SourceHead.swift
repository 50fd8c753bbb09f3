/// The beginning of a file, by which its format is recognized.
struct SourceHead {
    // Enough for an XML prologue and for the first members of a JSON object.
    static let length = 1 << 16

    /// The bytes after a byte order mark and leading white space.
    let text: ArraySlice<UInt8>

    init(path: String) throws {
        let head = try ReadableFile(path: path).bytes(at: 0, count: Self.length)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        text = head.dropFirst(head.starts(with: mark) ? mark.count : 0).drop { $0 <= 0x20 }
    }

    /// Returns whether the text begins with one of `characters`.
    func begins(with characters: [Unicode.Scalar]) -> Bool {
        text.first.map { first in characters.contains { UInt8(ascii: $0) == first } } ?? false
    }
}
