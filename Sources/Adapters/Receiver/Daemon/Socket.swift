import Foundation
import Synchronization

/// An open socket. It is closed once, and its descriptor cannot be reached afterwards: the system may have given the number
/// to another file.
final class Socket: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes ownership of an open socket.
    init(owning descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { close() }

    /// Returns the result of `body`, which must not block; `nil` if the socket is closed.
    func withDescriptor<Value: Sendable>(_ body: (Int32) -> Value) -> Value? {
        descriptor.withLock { descriptor in
            guard let descriptor else { return nil }
            return body(descriptor)
        }
    }

    /// Ends reading and writing. Other threads may call this while the owner uses the socket.
    func shutDown() { _ = withDescriptor { shutdown($0, Int32(SHUT_RDWR)) } }

    /// Ends reading after what has arrived.
    func shutDownReading() { _ = withDescriptor { shutdown($0, Int32(SHUT_RD)) } }

    /// Ends writing: the client receives the end.
    func shutDownWriting() { _ = withDescriptor { shutdown($0, Int32(SHUT_WR)) } }

    /// Closes the socket, unless it is closed.
    func close() {
        descriptor.withLock { descriptor in
            if let descriptor { Foundation.close(descriptor) }
            descriptor = nil
        }
    }
}
