import HealthSyncDomain
import HealthSyncPorts

/// Two 64-bit FNV-1a hashes with different seeds, mixed: sufficient for the few contents of a test.
struct PlainHasher: ContentHasher {
    func sha1Prefix(_ bytes: UnsafeRawBufferPointer) -> ContentDigest { digest(bytes) }

    func digest(_ bytes: UnsafeRawBufferPointer) -> ContentDigest {
        ContentDigest(
            high: Self.hash(bytes, from: 0xCBF2_9CE4_8422_2325), low: Self.hash(bytes, from: 0x9E37_79B9_7F4A_7C15))
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, from start: UInt64) -> UInt64 {
        var hash = start
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return hash ^ (hash >> 31)
    }
}
