import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// The body of a request to the inbox, while it is received.
protocol InboxBody: BodySink {}

/// The body of a request that is not archived: a handshake. It is short and in memory.
final class HandshakeBody: InboxBody {
    private let rejection: HTTPResponse
    private let bytes = Mutex<[UInt8]>([])

    /// - Parameter rejection: the response to a longer body.
    init(rejection: HTTPResponse) { self.rejection = rejection }

    func append(_ piece: UnsafeRawBufferPointer) -> HTTPResponse? {
        bytes.withLock { bytes in
            guard bytes.count + piece.count <= InboxAPI.largestHandshake else {
                bytes = []
                return rejection
            }
            unsafe bytes.append(contentsOf: piece)
            return nil
        }
    }

    func abandon() {}

    /// Returns the body, decompressed; empty if it cannot be decompressed.
    func content(_ head: RequestHead) -> [UInt8] {
        let bytes = bytes.withLock { $0 }
        guard ContentCoding(head.value("content-encoding")) == .gzip else { return bytes }
        return (try? Gzip.decompressed(bytes, limit: InboxAPI.largestHandshake)) ?? []
    }
}

/// The body of a post, which is written to the archive while it is received.
final class ArchivedPostBody: InboxBody {
    private struct State {
        var head: InboxHead
        var writer: (any InboxPostWriter)?
        /// Why the post cannot be archived.
        var failure: any Error = CancellationError()
        var bytes: Int64 = 0
    }

    /// Where the body is written.
    let archive: any InboxArchive
    private let code: (any MessageCode)?
    private let api: InboxAPI
    private let state: Mutex<State>

    /// - Parameter signer: the device, if it also signs the body.
    init(api: InboxAPI, archive: any InboxArchive, head: InboxHead, signer: InboxSigner? = nil) {
        self.api = api
        self.archive = archive
        code = signer.map { $0.code(api.hasher) }
        var state = State(head: head)
        do {
            state.writer = try archive.begin(head)
        } catch {
            state.failure = error
        }
        self.state = Mutex(state)
    }

    /// The head of the post.
    var head: InboxHead { state.withLock { $0.head } }
    /// The size of the body so far, in bytes.
    var bytes: Int64 { state.withLock { $0.bytes } }

    func append(_ piece: UnsafeRawBufferPointer) -> HTTPResponse? {
        do {
            unsafe try writer().append(piece)
        } catch {
            abandon()
            return api.response(to: error)
        }
        if let code { unsafe code.update(piece) }
        state.withLock { $0.bytes += Int64(piece.count) }
        return nil
    }

    func abandon() {
        let writer = state.withLock { state in
            defer { state.writer = nil }
            return state.writer
        }
        writer?.discard()
    }

    /// Returns whether `signature` is the device's signature of the body; `true` if the device did not sign it. The last
    /// call.
    func hasSignature(_ signature: [UInt8]) -> Bool {
        code.map { api.hasher.areEqual($0.finish(), signature) } ?? true
    }

    /// Returns the first bytes of the decompressed body.
    func start() throws -> [UInt8] { try writer().start() }

    /// Makes the post durable and returns its id.
    func commit() async throws -> String {
        let writer = try writer()
        state.withLock { $0.writer = nil }
        return try await writer.commit()
    }

    private func writer() throws -> any InboxPostWriter {
        try state.withLock { state in
            guard let writer = state.writer else { throw state.failure }
            return writer
        }
    }
}
