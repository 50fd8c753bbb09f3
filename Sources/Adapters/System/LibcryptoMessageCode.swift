import CHealthSyncCrypto
package import HealthSyncPorts
import Synchronization

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
