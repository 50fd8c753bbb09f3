import HealthSyncDomain

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
