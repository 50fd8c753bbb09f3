/// Collects the body of a response, up to a limit.
final class AnswerBuffer {
    private(set) var bytes: [UInt8] = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Appends `more`; returns false, and appends nothing, if that exceeds the limit.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
        guard more.count <= limit - bytes.count else { return false }
        unsafe bytes.append(contentsOf: more)
        return true
    }
}

/// libcurl's write callback: returning a number other than that of the bytes offered ends the transfer.
func receiveAnswerBytes(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let buffer = unsafe Unmanaged<AnswerBuffer>.fromOpaque(context).takeUnretainedValue()
    let offered = size * count
    return unsafe buffer.append(UnsafeRawBufferPointer(start: bytes, count: offered)) ? offered : offered &+ 1
}
