import CHealthSyncSockets

/// The bytes of a connection, over TLS or not. Used by one thread.
///
/// Once closed, it neither reads nor writes: every call fails, and neither the socket nor the TLS session can be reached.
final class Transport {
    /// The outcome of reading or writing.
    enum Outcome {
        /// This many bytes were read or written.
        case bytes(Int)
        /// The client sent everything it will send.
        case end
        /// The socket must become readable first.
        case wantsRead
        /// The socket must become writable first.
        case wantsWrite
        case failed
    }

    private enum State {
        case plain
        case encrypted(TLSSession)
        case closed
    }

    let socket: Socket
    private var state: State

    /// - Parameter tls: the context of new sessions, `nil` for plain HTTP.
    /// - Returns: `nil` if no session can be created.
    init?(socket: Socket, tls: TLSContext?) {
        self.socket = socket
        guard let tls else {
            state = .plain
            return
        }
        guard let session = TLSSession(tls, over: socket) else { return nil }
        state = .encrypted(session)
    }

    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether bytes were received that the poller does not report.
    var hasPending: Bool {
        if case .encrypted(let session) = state { session.hasPending } else { false }
    }

    func read(into buffer: inout [UInt8]) -> Outcome {
        let count = buffer.count
        let code = unsafe buffer.withUnsafeMutableBytes { bytes -> Int? in
            switch state {
            case .plain: socket.withDescriptor { unsafe healthsync_read($0, bytes.baseAddress, count) }
            case .encrypted(let session): unsafe session.read(into: bytes)
            case .closed: nil
            }
        }
        return outcome(code, isReading: true)
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
        let code = unsafe bytes.withUnsafeBytes { bytes -> Int? in
            switch state {
            case .plain:
                socket.withDescriptor { unsafe healthsync_write($0, bytes.baseAddress, bytes.count) }
            case .encrypted(let session): unsafe session.write(bytes)
            case .closed: nil
            }
        }
        return outcome(code, isReading: false)
    }

    private func outcome(_ code: Int?, isReading: Bool) -> Outcome {
        guard let code else { return .failed }
        return switch code {
        case 0 where isReading: .end
        case 0...: .bytes(code)
        case Int(healthsync_wants_read): .wantsRead
        case Int(healthsync_wants_write): .wantsWrite
        default: .failed
        }
    }

    /// Sends the end of the response. What the client still sends can be read, unless the caller closes the connection
    /// now.
    func finishWriting(closesNow: Bool) {
        if case .encrypted(let session) = state { session.finishWriting() }
        // Closing the socket sends the same.
        if !closesNow { socket.shutDownWriting() }
    }

    /// Closes the connection, unless it is closed.
    func close() {
        state = .closed
        socket.close()
    }
}

/// A TLS session of a server over an accepted connection. It is freed when the last reference to it is gone.
private final class TLSSession {
    private let address: UInt
    // The session reads and writes this socket.
    private let socket: Socket

    /// Returns `nil` without memory, or if the socket is closed.
    init?(_ context: TLSContext, over socket: Socket) {
        guard let address = socket.withDescriptor(context.session(over:)), address != 0 else { return nil }
        (self.address, self.socket) = (address, socket)
    }

    deinit { healthsync_tls_free(address) }

    var hasPending: Bool { healthsync_tls_has_pending(address) }

    /// Returns `nil` if the socket is closed. So do the other calls.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        socket.withDescriptor { _ in unsafe healthsync_tls_read(address, bytes.baseAddress, bytes.count) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        socket.withDescriptor { _ in unsafe healthsync_tls_write(address, bytes.baseAddress, bytes.count) }
    }

    func finishWriting() { _ = socket.withDescriptor { _ in healthsync_tls_finish_writing(address) } }
}

/// A certificate chain with its private key, for new TLS sessions.
final class TLSContext: Sendable {
    private let context: UInt

    /// Returns `nil` if the certificate and the key are not valid PEM or do not match.
    init?(_ settings: DaemonSettings.TLS) {
        context = unsafe healthsync_tls_context(settings.certificate, settings.privateKey)
        guard context != 0 else { return nil }
    }

    // A session keeps what it needs of its context.
    deinit { healthsync_tls_context_free(context) }

    /// Returns the address of a new session, which the caller owns; 0 without memory.
    fileprivate func session(over socket: Int32) -> UInt { healthsync_tls_accept(context, socket) }
}
