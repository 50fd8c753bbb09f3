public import HealthSyncDomain

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
