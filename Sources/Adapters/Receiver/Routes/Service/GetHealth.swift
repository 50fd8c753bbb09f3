/// `GET /health`: that the server answers.
struct GetHealth: Endpoint {
    let operation = Operation("GET", "/health", .nothing, description: OpenAPIText.getHealth)

    func answer(_ request: APIRequest) async throws -> HTTPResponse { .json(Array(#"{"status":"ok"}"#.utf8)) }
}
