import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// One request to the inbox.
final class InboxCall: RequestHandler {
    /// How the request is identified.
    private enum Identity {
        case unknown
        /// By the token of this device, which also signs the body if `signs`.
        case device(InboxSigner, signs: Bool)
        /// By a signature of the body with the secret of one of these devices.
        case signature([InboxSigner])
    }

    /// A signed body that was verified and written to the archive, or why it could not be written.
    private typealias ArchivedSignedBody = (signer: InboxSigner, post: ArchivedPostBody, rejection: HTTPResponse?)

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
    var bodyLimit: Int? {
        guard isDelivery else { return InboxAPI.largestHandshake }
        switch state.withLock({ $0.identity }) {
        case .unknown where credentials.tokens.isEmpty && credentials.signature != nil: return SignedBodies.largestBody
        case .signature: return SignedBodies.largestBody
        case .unknown, .device: return InboxAPI.largestBody
        }
    }

    var checksSecret: Bool {
        if case .device(_, signs: false) = state.withLock({ $0.identity }) { false } else { true }
    }

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
            let user: UserName? = if case .device(let device, _) = identity { device.recipient.user } else { nil }
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
                return .device(
                    InboxSigner(token: token, recipient: recipient), signs: credentials.signature != nil && isDelivery)
            }
        }
        if credentials.signature?.isEmpty == false {
            let signers = try await api.recipients.signers(credentials, at: api.time.now())
            if !signers.isEmpty { return .signature(signers) }
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
        case .device where !isDelivery, .signature where !isDelivery: body = HandshakeBody(rejection: unauthorized)
        case .device(let device, let signs): body = archivedBody(of: device, signs: signs)
        case .signature: body = SignedBody(api.signedBodies, from: head.remoteNetwork)
        }
        state.withLock { $0.body = body }
        return body
    }

    private func archivedBody(of device: InboxSigner, signs: Bool = false) -> ArchivedPostBody {
        let recipient = device.recipient
        return ArchivedPostBody(
            api: api, archive: recipient.archive,
            head: credentials.inboxHead(
                device: recipient.device, token: device.token, at: receivedAt, hasher: api.hasher),
            signer: signs ? device : nil)
    }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        let (identity, body) = state.withLock { state in
            defer { state.body = nil }
            return (state.identity, state.body)
        }
        do {
            switch (identity, body) {
            case (.device(let device, _), let post as ArchivedPostBody):
                return try await response(to: post, of: device)
            case (.signature(let signers), let body as SignedBody):
                return try await response(to: body, signedBy: signers)
            default:
                let device: InboxSigner? = if case .device(let device, _) = identity { device } else { nil }
                return try await response(to: (body as? HandshakeBody)?.content(head) ?? [], from: device)
            }
        } catch {
            return api.response(to: error)
        }
    }

    /// Returns the response to a request whose body is in memory.
    private func response(to body: [UInt8], from device: InboxSigner?) async throws -> HTTPResponse {
        let head = credentials.inboxHead(
            device: device?.recipient.device ?? "", token: device?.token, at: receivedAt, hasher: api.hasher)
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
            return HTTPResponse(try await reply(to: device, paired: answer, rejected: rejection))
        }
    }

    /// Returns the answer to a device that asks for a token of its own.
    private func reply(
        to device: String, paired: (String, String) -> InboxAnswer, rejected: (String) -> InboxAnswer
    ) async throws -> InboxAnswer {
        guard !isForwarded else {
            try await recordFailure()
            return rejected("type the token: behind a proxy the address of this phone is not known")
        }
        switch try await api.pair(InboxAPI.PairingRequest(statedName: device, address: head.remoteAddress)) {
        case .paired(let token, let computer): return paired(token, computer)
        case .unconfirmed(let action): return rejected(action)
        case .rejected(let reason):
            try await recordFailure()
            return rejected(reason)
        }
    }

    /// Whether a proxy states that it forwarded the request. Its clients have one address, and look the same.
    private var isForwarded: Bool { ["forwarded", "x-forwarded-for", "via"].contains { head.value($0) != nil } }

    /// Archives a post if one of `signers` signed it, and returns the response.
    private func response(to body: SignedBody, signedBy signers: [InboxSigner]) async throws -> HTTPResponse {
        if let rejection = body.rejection { return rejection }
        let (signature, hasher) = (credentials.signature ?? [], api.hasher)
        let archived = try await BlockingWork.run("healthsync.inbox") { [self] _ -> ArchivedSignedBody? in
            defer { body.abandon() }
            guard let verified = body.verified(signature, by: signers, hasher: hasher) else { return nil }
            let post = archivedBody(of: verified.signer)
            let rejection = unsafe verified.body.withUnsafeBytes { unsafe post.append($0) }
            return (verified.signer, post, rejection)
        }
        guard let (signer, post, rejection) = archived else {
            try await recordFailure()
            return unauthorized
        }
        if let rejection { return rejection }
        // Only shown, as for a token.
        try? await api.recipients.tokens.recordUse(id: signer.token.id, at: api.time.now())
        return try await response(to: post, of: signer)
    }

    /// Archives a post of a device, unless it is a handshake, and returns the response.
    private func response(to post: ArchivedPostBody, of device: InboxSigner) async throws -> HTTPResponse {
        guard post.hasSignature(credentials.signature ?? []) else {
            post.abandon()
            try await recordFailure()
            return unauthorized
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
        api.received(
            InboxAPI.Received(
                user: device.recipient.user, id: id, head: post.head, bytes: post.bytes, sender: decoder?.name))
        guard let decoder else { return HTTPResponse(.ok) }
        return HTTPResponse(
            await decoder.answer(to: post.head) { try? await post.archive.body(id, limit: InboxAPI.largestCountedBody) }
        )
    }
}
