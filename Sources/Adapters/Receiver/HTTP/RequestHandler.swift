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
    /// Returns the response to `request`, which was accepted and read completely.
    func response(to request: HTTPRequest) async -> HTTPResponse
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
