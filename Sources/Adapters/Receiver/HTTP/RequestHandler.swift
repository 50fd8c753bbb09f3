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
