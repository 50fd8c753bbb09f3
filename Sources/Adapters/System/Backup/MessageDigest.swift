import CHealthSyncCrypto

/// A SHA-256 of bytes that arrive in pieces.
struct MessageDigest {
    private var state = SHA256_CTX()

    init() { unsafe SHA256_Init(&state) }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        _ = unsafe bytes.withUnsafeBytes { unsafe SHA256_Update(&state, $0.baseAddress, $0.count) }
    }

    /// Returns the digest as 64 hexadecimal digits. The value must not be used afterwards.
    mutating func finish() -> String {
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
            unsafe SHA256_Final(bytes.baseAddress, &state)
            count = 32
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
