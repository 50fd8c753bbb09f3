public import HealthSyncDomain

/// A request of a sender to its server.
public struct HTTPCall: Sendable, Hashable {
    /// The methods that a call may have.
    public enum Method: String, Sendable, CaseIterable {
        /// Reads; has no body.
        case get = "GET"
        /// Stores.
        case post = "POST"
        /// Stores under a name.
        case put = "PUT"
        /// Changes a part.
        case patch = "PATCH"
        /// Deletes.
        case delete = "DELETE"
    }

    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name: letters, digits and hyphens.
        public var name: String
        /// The value, without line breaks. Never appears in a log or a verdict.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The method.
    public var method: Method
    /// The whole address: `https://` or `http://`, a host, a path. Other text is not sent.
    public var url: String
    /// The header fields, in their order. `Host`, `Content-Length` and `User-Agent` are added.
    public var fields: [Field]
    /// The body; empty for none.
    public var body: [UInt8]

    /// Creates a call.
    public init(_ method: Method, _ url: String, fields: [Field] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// What became of a call.
public enum HTTPOutcome: Sendable, Hashable {
    /// The server answered, with any status of 200 or more. A redirect is an answer, and is not followed.
    case answer(HTTPAnswer)
    /// The call was not sent: its task was cancelled before.
    case cancelled
    /// The call was not sent: its address or a field cannot be used.
    case unusable(reason: String)
    /// There is no answer, for a time: no name, no connection, a limit of time. The server may have acted.
    case noAnswer(reason: String)
    /// The certificate of the server is not trusted.
    case untrusted(reason: String)
}

/// The answer of a server.
public struct HTTPAnswer: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The value of the field `Retry-After`; `nil` without one.
    public var retryAfter: String?
    /// The body; `nil` if it was cut off or has more than 4 MiB.
    public var body: [UInt8]?

    /// Creates an answer.
    public init(status: Int, retryAfter: String? = nil, body: [UInt8]? = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Sends requests for senders over HTTP, within the limits of `DestinationRequest`.
///
/// Contract: `send` always returns, within `timeoutMilliseconds`. A call whose task is cancelled before it is sent is not sent. One that
/// was sent is finished even if its task is cancelled, because its outcome is needed. Certificates are verified, redirects are
/// not followed. Any number of calls may be made at once; `batchesInFlight` of them are sent at a time. Nothing is logged.
public protocol HTTPExchange: Sendable {
    /// Sends a call and returns what became of it.
    func send(_ call: HTTPCall) async -> HTTPOutcome
    /// Returns what an outcome means for the batch that the call delivers as a whole, by the table of docs/delivery.md: a status of
    /// 200, 201, 202 or 204 delivered all of it. With `nil`, as for a request of capabilities, there is nothing to deliver.
    func verdict(for outcome: HTTPOutcome, of batch: OutboxBatch?) -> BatchVerdict
}

/// The client of a program that offers none.
struct NoHTTPExchange: HTTPExchange {
    func send(_ call: HTTPCall) async -> HTTPOutcome { .unusable(reason: "this program offers no HTTP client") }

    func verdict(for outcome: HTTPOutcome, of batch: OutboxBatch?) -> BatchVerdict {
        .pause(reason: "this program offers no HTTP client")
    }
}
