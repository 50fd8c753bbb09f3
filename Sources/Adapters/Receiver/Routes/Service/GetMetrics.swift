import HealthSyncDomain

/// `GET /metrics`: counters and latencies in the Prometheus text form.
struct GetMetrics: Endpoint {
    let metrics: ServerMetrics
    let operation = Operation("GET", "/metrics", .scope(.admin), description: OpenAPIText.getMetrics)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: [.init("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: .bytes(Array(metrics.text().utf8)))
    }
}
