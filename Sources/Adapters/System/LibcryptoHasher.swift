import CHealthSyncCrypto
package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// SHA-1 and SHA-256, computed by libcrypto.
package struct LibcryptoHasher: ContentHasher {
    package init() {}

    package func sha1Prefix(_ bytes: UnsafeRawBufferPointer) -> ContentDigest {
        unsafe prefix(of: bytes, healthsync_sha1)
    }

    package func digest(_ bytes: UnsafeRawBufferPointer) -> ContentDigest {
        unsafe prefix(of: bytes, healthsync_sha256)
    }

    /// The version of libcrypto, such as `OpenSSL 3.0.17 1 Jul 2025`.
    package static var libraryVersion: String { unsafe String(cString: OpenSSL_version(OPENSSL_VERSION)) }

    private func prefix(
        of bytes: UnsafeRawBufferPointer,
        _ hash: (UnsafeRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void
    ) -> ContentDigest {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA256_DIGEST_LENGTH)) { digest in
            unsafe hash(bytes.baseAddress, bytes.count, digest.baseAddress)
            let words = UnsafeRawBufferPointer(digest)
            return unsafe ContentDigest(
                high: UInt64(bigEndian: words.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                low: UInt64(bigEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}

extension LibcryptoHasher: SecretHasher {
    package func sha256(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            unsafe bytes.withUnsafeBytes { unsafe healthsync_sha256($0.baseAddress, $0.count, digest.baseAddress) }
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    package func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.withUnsafeBytes { first in
            unsafe right.withUnsafeBytes { second in
                unsafe CRYPTO_memcmp(first.baseAddress, second.baseAddress, first.count) == 0
            }
        }
    }
}

extension LibcryptoHasher: MessageHasher {
    package func hmacSHA256(key: [UInt8]) -> any MessageCode { LibcryptoMessageCode(key: key) }
}

/// An HMAC-SHA256 computed by libcrypto.
@safe
private final class LibcryptoMessageCode: MessageCode {
    // The address of the state of libcrypto; 0 after a failure.
    private let state: Mutex<UInt>

    init(key: [UInt8]) {
        let created = unsafe key.withUnsafeBytes { unsafe healthsync_hmac_create($0.baseAddress, Int32($0.count)) }
        state = Mutex(UInt(bitPattern: created))
    }

    deinit { state.withLock { unsafe healthsync_hmac_destroy(UnsafeMutableRawPointer(bitPattern: $0)) } }

    func update(_ piece: UnsafeRawBufferPointer) {
        state.withLock { address in
            guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
            if unsafe healthsync_hmac_update(pointer, piece.baseAddress, piece.count) != 1 { Self.fail(&address) }
        }
    }

    /// Returns the code; after a failure of the library an empty one, which equals no other.
    func finish() -> [UInt8] {
        state.withLock { address in
            guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return [] }
            return unsafe [UInt8](unsafeUninitializedCapacity: 32) { code, count in
                guard let start = code.baseAddress else { return }
                count = unsafe healthsync_hmac_finish(pointer, start) == 1 ? 32 : 0
            }
        }
    }

    private static func fail(_ address: inout UInt) {
        unsafe healthsync_hmac_destroy(UnsafeMutableRawPointer(bitPattern: address))
        address = 0
    }
}

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
