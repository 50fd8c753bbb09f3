/// A 128-bit digest of some content. Equal contents have equal digests; different contents practically never do.
public struct ContentDigest: Hashable, Sendable {
    /// The first eight bytes, read as a big-endian number.
    public let high: UInt64
    /// The next eight bytes.
    public let low: UInt64

    /// Creates a digest from its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a digest from the first 16 of `bytes`; `nil` if there are fewer.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<8 {
            halves.high = halves.high << 8 | UInt64(bytes[index])
            halves.low = halves.low << 8 | UInt64(bytes[index + 8])
        }
        (high, low) = halves
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        append(to: &bytes)
        return bytes
    }

    /// Appends the 16 bytes.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { unsafe bytes.append(contentsOf: $0) }
    }
}
