import Foundation

/// The system's own words for its errors.
enum SystemError {
    /// What the error `code` means, such as `No space left on device`.
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
