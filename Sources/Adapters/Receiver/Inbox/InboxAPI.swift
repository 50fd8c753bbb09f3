package import HealthSyncDomain
package import HealthSyncPorts

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
    let signedBodies = SignedBodies()

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
    static let largestCountedBody = 8 << 20
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
