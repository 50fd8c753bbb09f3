import Foundation

/// Wakes a thread from a signal handler.
enum SignalPipe {
    /// Writes a byte to the pipe `descriptor`, unless it is negative. A signal handler may use little more than atomics and
    /// `write`.
    static func wake(_ descriptor: Int32) {
        let code = errno
        var byte: UInt8 = 1
        if descriptor >= 0 { _ = unsafe write(descriptor, &byte, 1) }
        errno = code
    }
}
