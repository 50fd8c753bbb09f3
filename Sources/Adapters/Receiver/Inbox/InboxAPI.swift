package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The inbox: accepts what phone apps deliver, with any method and path, and archives it before it answers.
///
/// A device is identified by its token, or by a signature of the body. It can only deliver: no response contains stored
/// data, and a post belongs to the user and the device whose token it has.
package struct InboxAPI: RequestRouter {
    let recipients: InboxRecipients
    let decoders: [any InboxDecoder]
    let hasher: any SecretHasher & MessageHasher
    let time: any TimeSource
    let log: any EventLog
    let received: @Sendable (Received) -> Void
    let pair: @Sendable (PairingRequest) async throws -> PairingReply
    let authenticator: Authenticator
    fileprivate let signedBodies = SignedBodies()

    /// A device that asks for a token of its own.
    package struct PairingRequest: Sendable, Hashable {
        /// The name that the device states.
        package var statedName: String
        /// Its numeric address.
        package var address: String
    }

    /// The reply to a device that asks for a token of its own.
    package enum PairingReply: Sendable {
        /// The text of its token, and the name of this computer.
        case paired(token: String, computer: String)
        /// The user has to do something first, which the device shows.
        case unconfirmed(String)
        /// The device gets no token, for this reason.
        case rejected(String)
    }

    /// A post that was archived.
    package struct Received: Sendable {
        package var user: UserName
        package var id: String
        package var head: InboxHead
        /// The size of its body as received, in bytes.
        package var bytes: Int64
        /// The name of the app; `nil` if no decoder recognizes the post.
        package var sender: String?
    }

    /// The maximum size of a body in bytes, as received.
    static let largestBody = 64 << 20
    /// The maximum size of a decompressed body that a decoder reads for its answer, in bytes.
    fileprivate static let largestCountedBody = 8 << 20
    /// The maximum size of the body of a request without a token, and of any handshake, in bytes.
    static let largestHandshake = ServerLimits.anonymousBody

    /// - Parameters:
    ///   - recipients: finds the archive of a device's posts.
    ///   - decoders: recognize posts and answer handshakes, in their order.
    ///   - hasher: verifies tokens and signatures.
    ///   - log: receives failures of the archive.
    ///   - pair: pairs the device that asks for it, if the user has confirmed that.
    ///   - received: called after a post was archived.
    package init(
        recipients: InboxRecipients, decoders: [any InboxDecoder], hasher: any SecretHasher & MessageHasher,
        time: any TimeSource, log: any EventLog,
        pair: @escaping @Sendable (PairingRequest) async throws -> PairingReply = { _ in
            .rejected("type the token instead")
        },
        received: @escaping @Sendable (Received) -> Void
    ) {
        self.recipients = recipients
        self.decoders = decoders
        self.hasher = hasher
        self.time = time
        self.log = log
        self.pair = pair
        self.received = received
        authenticator = Authenticator(
            store: recipients.tokens, hasher: hasher, time: time, allowsOpenAccess: false)
    }

    package func handler(for head: RequestHead) -> any RequestHandler {
        guard let target = head.target else {
            return RejectedRequest(response: .problem(400, "the address is not a valid path"))
        }
        return handler(for: head, at: target)
    }

    /// Returns the handler of a request to `target`, the address of which the server removed what precedes the inbox.
    func handler(for head: RequestHead, at target: RequestTarget) -> any RequestHandler {
        if target.path == ["healthz"], head.routedMethod == "GET" { return InboxHealth() }
        return InboxCall(api: self, head: head, target: target)
    }

    /// Returns the decoder of a request, or `nil` if none recognizes it.
    func decoder(of head: InboxHead, start: [UInt8]) -> (any InboxDecoder)? {
        decoders.first { $0.recognizes(head, start: start[...]) }
    }

    /// Returns the reply to a request that carries no samples, or `nil` for a delivery.
    func handshake(_ head: InboxHead, body: [UInt8]) -> InboxHandshake? {
        decoders.lazy.compactMap { $0.handshake(head, body: body[...]) }.first
    }

    /// Logs a failure and returns its response: 507 if the disk is full, 503 otherwise.
    func response(to error: any Error) -> HTTPResponse {
        log.note("the inbox could not accept a post: \(FailureText.of(error))", level: .error)
        guard (error as? SyncFailure)?.code == .diskFull else {
            return .problem(503, "the inbox is not available", headers: [.init("Retry-After", "5")])
        }
        return .problem(507, "the inbox is full", headers: [.init("Retry-After", "60")])
    }
}

extension HTTPResponse {
    init(_ answer: InboxAnswer) {
        self.init(
            status: answer.status, headers: [.init("Content-Type", answer.contentType)], body: .bytes(answer.body))
    }
}

/// `GET /healthz`
private struct InboxHealth: RequestHandler {
    let operation = "GET /healthz"
    var bodyLimit: Int? { ServerLimits.anonymousBody }

    func quickAdmission() -> Admission? { .accept(Caller(user: .local, scopes: [])) }
    func admission() async -> Admission { .accept(Caller(user: .local, scopes: [])) }
    func response(to request: HTTPRequest) async -> HTTPResponse { HTTPResponse(.ok) }
}

/// One request to the inbox.
private final class InboxCall: RequestHandler {
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
