import CHealthSyncCrypto
package import HealthSyncDomain
import HealthSyncPorts

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
