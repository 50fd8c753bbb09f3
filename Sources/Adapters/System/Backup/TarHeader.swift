/// A header of a tar archive (POSIX.1-1988, ustar) for a file that only its owner may read.
struct TarHeader: Hashable {
    /// The size of headers, and the multiple to which contents are padded.
    static let blockBytes = 512

    /// A relative path of at most 100 bytes.
    var name: String
    /// The size of the content in bytes.
    var size: Int64
    /// The time of the last change in seconds since 1970.
    var modified: Int64

    init(name: String, size: Int64, modified: Int64) {
        self.name = name
        self.size = size
        self.modified = modified
    }

    /// Reads a header. Returns `nil` unless it is one that `encoded` writes.
    init?(_ block: ArraySlice<UInt8>) {
        let block = Array(block)
        guard block.count == Self.blockBytes, let size = Self.number(block[124..<136]),
            let modified = Self.number(block[136..<148])
        else { return nil }
        let name = String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self)
        self.init(name: name, size: size, modified: modified)
        guard encoded() == block else { return nil }
    }

    /// The number of bytes after the content that fill its last block.
    var padding: Int { Int((512 - size % 512) % 512) }

    /// The header as a block.
    func encoded() -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
            for (place, byte) in zip(offset..., bytes) { block[place] = byte }
        }
        put(name.utf8.prefix(100), at: 0)
        put("0000600\0".utf8, at: 100)
        put("0000000\0".utf8, at: 108)
        put("0000000\0".utf8, at: 116)
        put(Self.field(size), at: 124)
        put(Self.field(modified), at: 136)
        put("        0".utf8, at: 148)
        put("ustar\u{0}00".utf8, at: 257)
        let sum = block.reduce(0) { $0 + Int($1) }
        put(Self.octal(Int64(sum), digits: 6) + [0, 0x20], at: 148)
        return block
    }

    /// Eleven octal digits, or for larger numbers the binary form of GNU tar.
    private static func field(_ number: Int64) -> [UInt8] {
        if number < 1 << 33 { return octal(number, digits: 11) + [0] }
        return [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
        (0..<digits).reversed().map { 0x30 + UInt8(truncatingIfNeeded: (number >> (3 * Int64($0))) & 7) }
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        if field.first == 0x80 {
            let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int64(exactly: value)
        }
        guard field.last == 0, field.dropLast().allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return field.dropLast().reduce(0) { $0 << 3 | Int64($1 - 0x30) }
    }
}
