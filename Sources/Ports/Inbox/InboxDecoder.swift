public import HealthSyncDomain

/// What an app that delivers to the inbox sends: recognizes its requests, answers them and decodes their samples.
///
/// The decoders passed to `HealthSync.main(…)` are asked before the built-in ones, in their order; a post belongs to
/// the first decoder that recognizes it. A post is answered once it is archived. It is decoded afterwards, again after
/// an upgrade if the user wants it, so the answer cannot depend on the samples.
///
/// Contract (`InboxDecoderContract` in HealthSyncTestKit checks it): pure, except for delivering samples; recognition
/// does not depend on the order of members in a JSON object.
public protocol InboxDecoder: Sendable {
    /// The name of the app in messages, such as `Health Auto Export`.
    var name: String { get }
    /// Identifies the input among all inputs, such as `hozz`. A file and a post with the same provider are one input:
    /// equal samples are stored once.
    var provider: String { get }
    /// Whether the app only adds and corrects (`.feed`), or also deletes (`.changes`).
    var semantics: SourceSemantics { get }
    /// Whether several posts may be decoded and stored as one. `false` if a post may contain a complete window, which
    /// deletes what an earlier post contained.
    var combinesPosts: Bool { get }

    /// Returns whether `post` must be decoded and stored together with `previous`, the post before it, although
    /// `combinesPosts` is false: both are parts of one complete window.
    func continues(_ previous: InboxPost, with post: InboxPost) -> Bool

    /// Returns whether the request is from this app.
    ///
    /// - Parameters:
    ///   - head: method, path and headers.
    ///   - start: the first bytes of the decompressed body, up to 64 KiB.
    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool

    /// Returns the reply to a request that carries no samples, such as a test of the connection or a login; `nil` for a
    /// delivery, which is archived.
    ///
    /// - Parameters:
    ///   - head: method, path and headers. The device is empty if the request contained no token.
    ///   - body: the decompressed body.
    func handshake(_ head: InboxHead, body: ArraySlice<UInt8>) -> InboxHandshake?

    /// Returns the answer to a delivery that was archived.
    ///
    /// - Parameters:
    ///   - head: method, path and headers.
    ///   - body: reads the archived body, decompressed; `nil` if it cannot be read or has more than 8 MiB.
    func answer(to head: InboxHead, body: () async -> [UInt8]?) async -> InboxAnswer

    /// Returns a reading that decodes posts of this app.
    ///
    /// - Parameters:
    ///   - selection: the types to deliver.
    ///   - context: the user's clock, and the known types.
    ///   - receive: receives the samples in batches.
    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading
}

extension InboxDecoder {
    /// Several posts are stored as one.
    public var combinesPosts: Bool { true }
    /// No post continues another one.
    public func continues(_ previous: InboxPost, with post: InboxPost) -> Bool { false }
    /// Every request is a delivery.
    public func handshake(_ head: InboxHead, body: ArraySlice<UInt8>) -> InboxHandshake? { nil }
    /// Status 200 with `{"status":"ok"}`.
    public func answer(to head: InboxHead, body: () async -> [UInt8]?) async -> InboxAnswer { .ok }
}

/// Decodes posts of one app in the order in which they were received.
public protocol InboxReading {
    /// The totals of the posts decoded so far.
    var account: SourceReading { get }

    /// Decodes one post. Unusable records are rejected one by one and counted.
    ///
    /// - Throws: `SyncFailure` with `.badInput` if the post as a whole cannot be decoded; then none of its samples were
    ///   delivered, and further posts can be decoded. Errors of the receiver are rethrown.
    mutating func take(_ post: InboxPost) throws

    /// Delivers the last batch and returns the totals.
    mutating func finish() throws -> SourceReading
}

/// The response to a request of a phone app.
public struct InboxAnswer: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The media type of the body.
    public var contentType: String
    /// The body.
    public var body: [UInt8]

    /// An answer with a JSON text as its body.
    public init(status: Int = 200, json: String) {
        self.status = status
        contentType = "application/json"
        body = Array(json.utf8)
    }

    /// Status 200 with `{"status":"ok"}`.
    public static let ok = InboxAnswer(json: #"{"status":"ok"}"#)
}

/// The reply to a request that carries no samples.
public enum InboxHandshake: Sendable {
    /// Everyone who can reach the inbox gets this answer.
    case open(InboxAnswer)
    /// Only a paired device gets this answer.
    case paired(InboxAnswer)
    /// The request contains the token of a device in its body. `answer` receives the token and the name of the device
    /// if it is valid; otherwise the answer is 401.
    case login(token: String, answer: @Sendable (_ token: String, _ device: String) -> InboxAnswer)
    /// The app asks for a token of its own and calls itself `device`. While the user pairs a device, the inbox adds one
    /// and `answer` receives its token and the name of this computer; otherwise `rejection` receives the reason.
    case pairing(
        device: String, answer: @Sendable (_ token: String, _ computer: String) -> InboxAnswer,
        rejection: @Sendable (_ reason: String) -> InboxAnswer)
}

/// The head of a request that a phone app sent to the inbox, without credentials.
public struct InboxHead: Sendable, Hashable {
    /// A header line.
    public struct Header: Sendable, Hashable, Codable {
        /// In lower case.
        public var name: String
        /// Exactly as received.
        public var value: String

        /// A header line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Such as `POST`.
    public var method: String
    /// The percent-decoded segments of the path, without a token in the path; empty for `/`.
    public var path: [String]
    /// The parameters of the query by name.
    public var query: [String: String]
    /// The headers in their order. Those that contain credentials are missing.
    public var headers: [Header]
    /// The name of the paired device whose token the request contained.
    public var device: String
    /// When the request was received.
    public var receivedAt: Instant

    /// A request with these properties.
    public init(
        method: String, path: [String], query: [String: String] = [:], headers: [Header] = [], device: String,
        receivedAt: Instant
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.device = device
        self.receivedAt = receivedAt
    }

    /// Returns the value of the first header called `name`, in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A request that a phone app sent to the inbox, as it was archived.
public struct InboxPost: Sendable {
    /// Identifies the post in the archive. Posts sort by id in the order in which they were received.
    public var id: String
    /// Method, path, headers and device.
    public var head: InboxHead
    /// The body, decompressed.
    public var body: [UInt8]

    /// A post with these properties.
    public init(id: String, head: InboxHead, body: [UInt8]) {
        self.id = id
        self.head = head
        self.body = body
    }
}
