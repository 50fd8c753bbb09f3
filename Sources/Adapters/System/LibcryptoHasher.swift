import CHealthSyncCrypto
package import HealthSyncDomain
import HealthSyncPorts

/// SHA-1 and SHA-256 by libcrypto.
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
