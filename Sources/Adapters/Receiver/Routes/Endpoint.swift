/// One operation of the API.
protocol Endpoint: Sendable {
    /// What it is for.
    var operation: Operation { get }
    /// Answers; a `Refusal` that is thrown is the answer too.
    func answer(_ request: APIRequest) async throws -> HTTPResponse
}
