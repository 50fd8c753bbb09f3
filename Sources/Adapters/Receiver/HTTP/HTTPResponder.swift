/// What stands behind a daemon: decides who may, and answers.
package protocol HTTPResponder: Sendable {
    /// Whether the body of a request is read, as far as that can be said at once; `nil` where it takes a look into the
    /// store.
    func quickAdmission(of head: RequestHead) -> Admission?
    /// Whether the body of a request is read.
    func admission(of head: RequestHead) async -> Admission
    /// The answer to an admitted request.
    func answer(to request: HTTPRequest) async -> HTTPResponse
    /// The name under which the request is counted: method and path template, never a value that a client chose.
    func operationName(of head: RequestHead) -> String
}

/// What is done with a request after its head.
package enum Admission: Sendable {
    /// The body is read and the request answered.
    case accept(Caller)
    /// It is answered without.
    case refuse(HTTPResponse)
}
