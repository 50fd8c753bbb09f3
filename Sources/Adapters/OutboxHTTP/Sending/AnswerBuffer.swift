/// Collects the body of a response, up to a limit, or passes the body of a successful one on.
final class AnswerBuffer {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let receive: (any CurlReceiver)?
    /// Returns the status of the response, whose head was read.
    private let status: () -> Int

    init(limit: Int, receive: (any CurlReceiver)?, status: @escaping () -> Int) {
        self.limit = limit
        self.receive = receive
        self.status = status
    }

    /// Appends `more`; returns false, and appends nothing, if that exceeds the limit or the receiver
    /// returns false.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
        if let receive, (200..<300).contains(status()) {
            return unsafe receive.receive(more)
        }
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
