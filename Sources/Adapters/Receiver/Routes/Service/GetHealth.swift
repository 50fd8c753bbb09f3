import HealthSyncPorts

/// `GET /health` and `GET /ready`: report whether the server can store records.
struct GetHealth: Endpoint {
    let path: String

    var operation: Operation {
        Operation(
            "GET", path, .noToken,
            OpenAPIOperation(
                summary: "Check whether the server can store records", responses: [(200, "Health")], errors: [400, 503])
        )
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        try await request.services.store.checkWritable()
        return .healthy
    }
}

/// `GET /live`: reports that the process answers requests, whatever the state of its store.
struct GetLive: Endpoint {
    let operation = Operation(
        "GET", "/live", .noToken,
        OpenAPIOperation(
            summary: "Check whether the server answers requests", responses: [(200, "Health")], errors: [400]))

    func response(to request: APIRequest) async throws -> HTTPResponse { .healthy }
}

extension HTTPResponse {
    fileprivate static var healthy: HTTPResponse { .json(Array(#"{"status":"ok"}"#.utf8)) }
}
