/// A request that is refused as a whole.
struct Refusal: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) { self.response = response }

    /// In the words of `application/problem+json`.
    init(_ status: Int, _ title: String) { response = .problem(status, title) }
}
