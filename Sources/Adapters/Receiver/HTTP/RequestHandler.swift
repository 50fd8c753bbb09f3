package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Finds the handler of each request.
package protocol RequestRouter: Sendable {
    /// Returns the handler of the request. Called once for each request, as soon as its head was read.
    func handler(for head: RequestHead) -> any RequestHandler
}

/// Handles one request: decides whether to accept it, then creates its response.
package protocol RequestHandler: Sendable {
    /// The name under which the request is counted: method and path template, without any value that the client chose.
    var operation: String { get }
    /// Decides whether to accept the request, if this needs no access to a store; otherwise returns `nil`. Must not
    /// block.
    func quickAdmission() -> Admission?
    /// Decides whether to accept the request. Called if `quickAdmission()` returned `nil`.
    func admission() async -> Admission
    /// The maximum size of the body in bytes; `nil` for that of the server.
    var bodyLimit: Int? { get }
    /// Returns what receives the body of the accepted request; `nil` to get it as `HTTPRequest.body`. Called on the
    /// thread of the HTTP library, so it may block for short file operations only.
    func bodySink(for caller: Caller) -> (any BodySink)?
    /// Whether `response(to:)` checks a secret. The response to a wrong one is delayed, and the connection may meanwhile be
    /// given to another client.
    var checksSecret: Bool { get }
    /// Returns the response to `request`, which was accepted and read completely.
    func response(to request: HTTPRequest) async -> HTTPResponse
}

extension RequestHandler {
    package var bodyLimit: Int? { nil }
    package var checksSecret: Bool { false }
    package func bodySink(for caller: Caller) -> (any BodySink)? { nil }
}

/// Receives the body of a request in pieces, so that memory does not grow with it.
package protocol BodySink: Sendable {
    /// Appends a piece of the body. Returns a response to reject the request, whose remaining body is discarded. Called
    /// on the thread of the HTTP library, so it may block for short file operations only.
    func append(_ piece: UnsafeRawBufferPointer) -> HTTPResponse?
    /// Discards what was received, because the body is too large or the connection ended. Not called after the whole
    /// body was received, nor after a rejection.
    func abandon()
}

/// The decision on a request after its head was read.
package enum Admission: Sendable {
    /// Read the body and handle the request.
    case accept(Caller)
    /// Send this response without handling the request.
    case reject(HTTPResponse)
}

/// The handler of a request that no route accepts.
struct RejectedRequest: RequestHandler {
    let operation = "other"
    let response: HTTPResponse

    func quickAdmission() -> Admission? { .reject(response) }
    func admission() async -> Admission { .reject(response) }
    func response(to request: HTTPRequest) async -> HTTPResponse { response }
}

/// A request that was accepted and read completely. API and pages share this context: the target was parsed once, and
/// the caller was authenticated before the body was read.
package struct HTTPRequest: Sendable {
    package let head: RequestHead
    package let caller: Caller
    /// The body as received, possibly compressed.
    package let body: [UInt8]
    /// Lets the server end a wait for which the response takes its time; `nil` if nothing can end it early.
    let wait: ResponseWait?

    package init(head: RequestHead, caller: Caller, body: [UInt8], wait: ResponseWait? = nil) {
        self.head = head
        self.caller = caller
        self.body = body
        self.wait = wait
    }

    /// Maximum size of a form in bytes.
    static let largestForm = ServerLimits.anonymousBody

    /// Returns the fields of an `application/x-www-form-urlencoded` body in their order, or `nil` if the body is too
    /// large or its encoding is invalid.
    func formFields() -> [WebField]? {
        guard body.count <= Self.largestForm, let text = String(validating: body, as: UTF8.self) else { return nil }
        var fields: [WebField] = []
        for pair in text.parts(separatedBy: "&") where !pair.isEmpty {
            let sides = pair.parts(separatedBy: "=", maxSplits: 1)
            guard let name = RequestTarget.decoded(sides[0], plusIsSpace: true),
                let value = sides.count == 2 ? RequestTarget.decoded(sides[1], plusIsSpace: true) : ""
            else { return nil }
            fields.append(WebField(name, value))
        }
        return fields
    }
}

/// The user who makes a request, and what the request may do.
package struct Caller: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>
    /// Whether the server requires no token.
    package var hasOpenAccess: Bool
    /// The id of the token; `nil` without one.
    package var tokenID: String?

    package init(
        user: UserName, scopes: Set<AccessScope>, tokenID: String? = nil, hasOpenAccess: Bool = false
    ) {
        self.user = user
        self.scopes = scopes
        self.tokenID = tokenID
        self.hasOpenAccess = hasOpenAccess
    }
}

/// The wait of a response for something that may happen later, such as the arrival of a post.
///
/// A server whose connections are all in use ends waits early. The response is then created as if its time had passed, so
/// the client loses nothing.
package final class ResponseWait: Sendable {
    private enum State {
        case notWaiting
        case waiting(end: @Sendable () -> Void)
    }

    private let changed: @Sendable (_ isWaiting: Bool) -> Void
    private let state = Mutex(State.notWaiting)

    /// - Parameter changed: called when a wait begins and when it is over.
    init(changed: @escaping @Sendable (_ isWaiting: Bool) -> Void) { self.changed = changed }

    /// Runs `body`, which waits. `end` lets it return early; it may be called at any time while `body` runs.
    func run<Result>(
        endedBy end: @escaping @Sendable () -> Void, _ body: () async throws -> Result
    ) async rethrows -> Result {
        state.withLock { $0 = .waiting(end: end) }
        changed(true)
        defer {
            state.withLock { $0 = .notWaiting }
            changed(false)
        }
        return try await body()
    }

    /// Ends the current wait; does nothing without one.
    func end() {
        if case .waiting(let end) = state.withLock({ $0 }) { end() }
    }
}
