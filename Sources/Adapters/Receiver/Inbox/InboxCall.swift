import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// One request to the inbox.
final class InboxCall: RequestHandler {
    /// How the request is identified.
    private enum Identity {
        case unknown
        /// By the token of this device.
        case device(InboxRecipient)
        /// By a signature of the body with the secret of one of these devices, which have the same archive; of one
        /// device if its token was sent, too.
        case signer([InboxSigner])
    }

    private struct State {
        var identity = Identity.unknown
        var body: (any InboxBody)?
    }

    private let api: InboxAPI
    private let head: RequestHead
    private let credentials: DeviceCredentials
    private let receivedAt: Instant
    private let state = Mutex(State())

    init(api: InboxAPI, head: RequestHead, target: RequestTarget) {
        self.api = api
        self.head = head
        credentials = DeviceCredentials(head, target: target)
        receivedAt = api.time.now()
    }

    /// Contains nothing that the client sent: the path may contain a token.
    var operation: String { isDelivery ? "POST to the inbox" : "GET from the inbox" }
    var bodyLimit: Int? { isDelivery ? InboxAPI.largestBody : InboxAPI.largestHandshake }

    var checksSecret: Bool { if case .device = state.withLock({ $0.identity }) { false } else { true } }

    private var isDelivery: Bool { !["GET", "HEAD", "OPTIONS"].contains(head.method) }

    func quickAdmission() -> Admission? {
        guard !credentials.isPresent, credentials.signature == nil else { return nil }
        // The body may be a handshake.
        guard (head.contentLength ?? 0) <= InboxAPI.largestHandshake else { return .reject(unauthorized) }
        return .accept(Caller(user: .local, scopes: []))
    }

    func admission() async -> Admission {
        do {
            guard let identity = try await identify() else { return .reject(unauthorized) }
            state.withLock { $0.identity = identity }
            let user: UserName? = if case .device(let recipient) = identity { recipient.user } else { nil }
            return .accept(Caller(user: user ?? .local, scopes: [.ingest]))
        } catch {
            return .reject(api.response(to: error))
        }
    }

    private var unauthorized: HTTPResponse { Authenticator.unauthorized("a token of a paired device is required") }

    /// Returns how the request is identified, or `nil` if it has no valid token.
    private func identify() async throws -> Identity? {
        for text in credentials.tokens {
            if let token = try await api.authenticator.validToken(text, from: head.remoteAddress),
                let recipient = api.recipients.recipient(token)
            {
                // A device that also signs the body must sign it with its own secret.
                if credentials.signature != nil, isDelivery {
                    return .signer([InboxSigner(token: token, recipient: recipient)])
                }
                return .device(recipient)
            }
        }
        if credentials.signature != nil {
            let signers = try await api.recipients.signers(credentials, at: api.time.now())
            if !signers.isEmpty { return .signer(signers) }
        }
        // Text that is not a token counts as a failed login; a token was counted above.
        if credentials.tokens.isEmpty { try await recordFailure() }
        return nil
    }

    private func recordFailure() async throws {
        _ = try await api.authenticator.validToken(nil, from: head.remoteAddress)
    }

    func bodySink(for caller: Caller) -> (any BodySink)? {
        let identity = state.withLock { $0.identity }
        let body: any InboxBody
        switch identity {
        case .unknown: body = HandshakeBody(rejection: unauthorized)
        case .device where !isDelivery, .signer where !isDelivery: body = HandshakeBody(rejection: unauthorized)
        case .device(let recipient): body = archivedBody(recipient.archive, device: recipient.device, signers: [])
        case .signer(let signers):
            guard let archive = signers.first?.recipient.archive else { return nil }
            body = archivedBody(archive, device: "", signers: signers)
        }
        state.withLock { $0.body = body }
        return body
    }

    private func archivedBody(
        _ archive: any InboxArchive, device: String, signers: [InboxSigner]
    ) -> ArchivedPostBody {
        ArchivedPostBody(
            api: api, archive: archive, head: credentials.inboxHead(device: device, at: receivedAt), signers: signers)
    }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        let (identity, body) = state.withLock { state in
            defer { state.body = nil }
            return (state.identity, state.body)
        }
        do {
            let recipient: InboxRecipient? = if case .device(let recipient) = identity { recipient } else { nil }
            if let post = body as? ArchivedPostBody { return try await response(to: post, for: recipient) }
            return try await response(to: (body as? HandshakeBody)?.content(head) ?? [], from: recipient?.device)
        } catch {
            return api.response(to: error)
        }
    }

    /// Returns the response to a request whose body is in memory.
    private func response(to body: [UInt8], from device: String?) async throws -> HTTPResponse {
        let head = credentials.inboxHead(device: device ?? "", at: receivedAt)
        if let handshake = api.handshake(head, body: body),
            let response = try await response(to: handshake, isPaired: device != nil)
        {
            return response
        }
        // A device that only asks whether the connection works.
        return device == nil ? unauthorized : HTTPResponse(.ok)
    }

    /// Returns the response to a handshake, or `nil` if the client may not have it.
    private func response(to handshake: InboxHandshake, isPaired: Bool) async throws -> HTTPResponse? {
        switch handshake {
        case .open(let answer): return HTTPResponse(answer)
        case .paired(let answer): return isPaired ? HTTPResponse(answer) : nil
        case .login(let token, let answer):
            guard
                let valid = try await api.authenticator.validToken(AccessTokenText(token), from: head.remoteAddress),
                let recipient = api.recipients.recipient(valid)
            else { return unauthorized }
            return HTTPResponse(answer(token, recipient.device))
        case .pairing(let device, let answer, let rejection):
            guard let pairing = try await api.pair(device) else {
                try await recordFailure()
                return HTTPResponse(rejection("run `healthsync pair NAME` on the computer first"))
            }
            return HTTPResponse(answer(pairing.token, pairing.computer))
        }
    }

    /// Archives a post, unless it is a handshake, and returns the response.
    ///
    /// - Parameter recipient: whose token the request has; `nil` if only its signature identifies the device.
    private func response(to post: ArchivedPostBody, for recipient: InboxRecipient?) async throws -> HTTPResponse {
        var recipient = recipient
        if !post.signers.isEmpty {
            guard let signer = post.signer(of: credentials.signature ?? []) else {
                post.abandon()
                try await recordFailure()
                return unauthorized
            }
            try post.assign(device: signer.recipient.device)
            // Only shown, as for a token.
            try? await api.recipients.tokens.recordUse(id: signer.token.id, at: api.time.now())
            recipient = signer.recipient
        }
        let start = try post.start()
        if post.bytes <= InboxAPI.largestHandshake, start.count < InboxAPI.largestHandshake,
            let handshake = api.handshake(post.head, body: start)
        {
            post.abandon()
            return try await response(to: handshake, isPaired: true) ?? unauthorized
        }
        let id = try await post.commit()
        let decoder = api.decoder(of: post.head, start: start)
        if let user = recipient?.user {
            api.received(
                InboxAPI.Received(user: user, id: id, head: post.head, bytes: post.bytes, sender: decoder?.name))
        }
        guard let decoder else { return HTTPResponse(.ok) }
        return HTTPResponse(
            await decoder.answer(to: post.head) { try? await post.archive.body(id, limit: InboxAPI.largestCountedBody) }
        )
    }
}
