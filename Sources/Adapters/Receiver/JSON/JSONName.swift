import Foundation

/// The name of a member in a JSON text that is being read.
// Points into the text, which outlives it: JSONText.read closes the text after the closure that is given names.
@safe struct JSONName {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// Whether it is that name, byte by byte.
    static func == (left: JSONName, right: StaticString) -> Bool {
        let count = right.utf8CodeUnitCount
        guard unsafe left.bytes.count == count else { return false }
        guard count > 0, let start = unsafe left.bytes.baseAddress else { return count == 0 }
        return unsafe memcmp(start, right.utf8Start, count) == 0
    }
}
