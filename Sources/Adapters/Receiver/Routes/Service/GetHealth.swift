import HealthSyncPorts

/// `GET /health`: reports whether the server can store records.
struct GetHealth: Endpoint {
    let operation = Operation(
        "GET", "/health", .noToken,
        OpenAPIOperation(
            summary: "Check whether the server can store records", responses: [(200, "Health")], errors: [400, 503]))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        try await request.services.store.checkWritable()
        return .json(Array(#"{"status":"ok"}"#.utf8))
    }
}
