import HealthSyncDomain
import HealthSyncPorts
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
        guard head.value("content-encoding")?.lowercased() == "gzip" else { return bytes }
        return (try? GzipBody.decompressed(bytes, limit: InboxAPI.largestHandshake)) ?? []
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

    /// The devices of which one signed the body; empty if a token identifies the device.
    let signers: [InboxSigner]
    /// Where the body is written.
    let archive: any InboxArchive
    private let codes: [any MessageCode]
    private let api: InboxAPI
    private let state: Mutex<State>

    init(api: InboxAPI, archive: any InboxArchive, head: InboxHead, signers: [InboxSigner]) {
        self.api = api
        self.archive = archive
        self.signers = signers
        // The secret of a signature is a text, because users type it into the app.
        codes = signers.map { api.hasher.hmacSHA256(key: Array(HexDigits.text($0.token.secretDigest).utf8)) }
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
        for code in codes { unsafe code.update(piece) }
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

    /// Returns the device whose signature of the body is `signature`.
    func signer(of signature: [UInt8]) -> InboxSigner? {
        zip(signers, codes).first { api.hasher.areEqual($0.1.finish(), signature) && !signature.isEmpty }?.0
    }

    func assign(device: String) throws {
        try writer().assign(device: device)
        state.withLock { $0.head.device = device }
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
