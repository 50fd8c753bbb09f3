import HealthSyncPorts

/// `GET /health`: that the server answers and stores.
struct GetHealth: Endpoint {
    let operation = Operation("GET", "/health", .nothing, description: OpenAPIText.getHealth)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        try await request.services.store.checkWritable()
        return .json(Array(#"{"status":"ok"}"#.utf8))
    }
}
