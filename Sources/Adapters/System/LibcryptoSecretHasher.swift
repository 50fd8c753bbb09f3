import CHealthSyncCrypto
import HealthSyncPorts

/// The hash and the comparison of secrets, by libcrypto.
package struct LibcryptoSecretHasher: SecretHasher {
    package init() {}

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
