/// The check sum CRC-32 of zlib, which the reference in Python computes, too.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    private var state: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~state }

    mutating func add(_ text: String) {
        for byte in text.utf8 { state = state >> 8 ^ Self.table[Int((state ^ UInt32(byte)) & 0xFF)] }
    }
}
