/// The error for a request that is rejected as a whole.
struct RequestError: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) { self.response = response }

    /// Creates an error whose response is an `application/problem+json` document.
    init(_ status: Int, _ title: String) { response = .problem(status, title) }
}

/// The error for an invalid record. The other records of its request are still stored.
struct RejectedRecord: Error {
    /// The id as the client sent it; empty if it is missing.
    var id: String
    /// Which member is invalid, and why.
    var reason: String
}
