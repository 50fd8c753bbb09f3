import Foundation

/// Writes complete byte arrays to a file descriptor.
enum DescriptorWriter {
    /// Writes all of `bytes`; returns the `errno`, or 0 on success. Waits if a nonblocking descriptor is not ready.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor) }
    }

    /// Writes all of `bytes`; returns the `errno`, or 0 on success.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                written += count
                continue
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN: waitUntilWritable(descriptor)
            case let code: return code
            }
        }
        return 0
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, 1_000)
    }
}

/// The system's messages for error codes.
enum SystemError {
    /// Returns the message of the error `code`, such as `No space left on device`.
    static func text(_ code: Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            unsafe buffer.initialize(repeating: 0)
            guard let words = buffer.baseAddress, unsafe strerror_r(code, words, buffer.count) == 0 else {
                return "error \(code)"
            }
            return unsafe String(cString: words)
        }
    }
}
