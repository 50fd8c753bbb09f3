import CHealthSyncSockets
import Foundation

/// The bytes of a connection, over TLS or not.
struct Transport {
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

    let socket: Int32
    // The address of an OpenSSL session; 0 without TLS.
    private let session: UInt

    /// - Parameter tls: the context of new sessions, `nil` for plain HTTP.
    /// - Returns: `nil` if no session can be created.
    init?(socket: Int32, tls: TLSContext?) {
        self.socket = socket
        session = tls.map { $0.session(over: socket) } ?? 0
        if tls != nil, session == 0 { return nil }
    }

    /// Whether bytes were received that the poller does not report.
    var hasPending: Bool { healthsync_has_pending(session) }

    func read(into buffer: inout [UInt8]) -> Outcome {
        let count = buffer.count
        return outcome(
            unsafe buffer.withUnsafeMutableBytes { unsafe healthsync_read(socket, session, $0.baseAddress, count) },
            isReading: true)
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
        outcome(
            unsafe bytes.withUnsafeBytes { unsafe healthsync_write(socket, session, $0.baseAddress, $0.count) },
            isReading: false)
    }

    private func outcome(_ code: Int, isReading: Bool) -> Outcome {
        switch code {
        case 0 where isReading: .end
        case 0...: .bytes(code)
        case Int(healthsync_wants_read): .wantsRead
        case Int(healthsync_wants_write): .wantsWrite
        default: .failed
        }
    }

    /// Sends the end of the response. What the client still sends can be read, unless the caller closes the connection
    /// now.
    func finishWriting(closesNow: Bool) { healthsync_finish_writing(socket, session, closesNow) }

    /// Closes the connection. Nothing may use it afterwards.
    func close() {
        if session != 0 { healthsync_tls_free(session) }
        Foundation.close(socket)
    }
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

    /// Returns the address of a new session; 0 without memory.
    func session(over socket: Int32) -> UInt { healthsync_tls_accept(context, socket) }
}
