import HealthSyncDomain
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

/// `GET /metrics`: returns counters and latencies in the Prometheus text format.
struct GetMetrics: Endpoint {
    let metrics: ServerMetrics
    let operation = Operation(
        "GET", "/metrics", .scope(.admin),
        OpenAPIOperation(
            summary: "Get counters and latencies in the Prometheus text format", responses: [(200, "Text")],
            errors: [400, 401, 403], mediaType: "text/plain"))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let text = metrics.text() + (request.services.inboxes?.metricsText() ?? "")
        return HTTPResponse(
            status: 200, headers: [.init("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: .bytes(Array(text.utf8)))
    }
}
