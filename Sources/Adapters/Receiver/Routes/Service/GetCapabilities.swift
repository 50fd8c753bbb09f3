import HealthSyncDomain

/// `GET /api/v1/capabilities`: what a client may send.
struct GetCapabilities: Endpoint {
    let operation = Operation("GET", "/api/v1/capabilities", .anyToken, description: OpenAPIText.getCapabilities)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("server")
        writer.string("healthsync")
        writer.name("version")
        writer.string(request.services.version)
        writer.name("batch")
        writer.beginObject()
        for (name, limit) in [
            ("steps" as StaticString, Capabilities.stepsBatch), ("sleep", Capabilities.sleepBatch),
            ("progress", Capabilities.progressBatch), ("snapshots", Capabilities.progressBatch),
        ] {
            writer.name(name)
            writer.integer(limit)
        }
        writer.endObject()
        writer.name("max_body_bytes")
        writer.integer(request.services.limits.bodyBytes)
        for name in ["gzip", "digest", "record_digests", "tombstones"] as [StaticString] {
            writer.name(name)
            writer.bool(true)
        }
        writer.endObject()
        return .json(writer.bytes)
    }
}
