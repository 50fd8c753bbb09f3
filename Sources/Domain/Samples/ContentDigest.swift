/// 128 bits that stand for a content: equal contents have equal digests, and different ones practically never.
public struct ContentDigest: Hashable, Sendable {
    /// The first eight bytes, read as a big-endian number.
    public let high: UInt64
    /// The next eight bytes.
    public let low: UInt64

    /// A digest of these halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first 16 of `bytes`, which must be at least as many.
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
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - ($0 % 8) * 8)) }
    }
}
