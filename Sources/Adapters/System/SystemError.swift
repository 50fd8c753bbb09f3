import Foundation

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
