import HealthSyncDomain

/// `GET /api/v1/capabilities`: returns the limits and features of the server.
struct GetCapabilities: Endpoint {
    let operation = Operation(
        "GET", "/api/v1/capabilities", .anyToken,
        OpenAPIOperation(
            summary: "Get the limits and features of the server", responses: [(200, "Capabilities")],
            errors: [400, 401, 503]))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("server")
        writer.string("healthsync")
        writer.name("version")
        writer.string(request.services.version)
        writer.name("batch")
        writer.beginObject()
        for (name, limit) in [
            ("steps" as StaticString, request.services.limits.samples), ("sleep", PostSleep.largestBatch),
            ("progress", PostRecords.largestBatch), ("snapshots", PostRecords.largestBatch),
        ] {
            writer.name(name)
            writer.integer(limit)
        }
        writer.endObject()
        writer.name("max_body_bytes")
        writer.integer(request.services.limits.bodyBytes)
        for name in ["gzip", "digest", "record_digests", "tombstones", "sample_deletions", "sleep_nights"]
            as [StaticString]
        {
            writer.name(name)
            writer.bool(true)
        }
        writer.name("inbox")
        writer.bool(request.services.inboxes != nil)
        writer.endObject()
        return .json(writer.bytes)
    }
}
