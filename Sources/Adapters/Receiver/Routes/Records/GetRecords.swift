import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/progress` and `GET /api/v1/snapshots`: stored records by day, a page at a time.
struct GetRecords: Endpoint {
    let kind: RecordKind

    var operation: Operation {
        Operation(
            "GET", "/api/v1/\(kind.rawValue)", .scope(.read),
            description: kind == .progress ? OpenAPIText.getProgress : OpenAPIText.getSnapshots)
    }

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        var query = RecordQuery(user: request.user, kind: kind)
        query.from = try request.day("from")
        query.through = try request.day("to")
        query.limit = Int(try request.integer("limit", in: 1...10_000) ?? 2_000)
        query.offset = Int(try request.integer("offset", in: 0...1_000_000_000) ?? 0)
        if kind == .progress {
            query.type = request.target.query["type"]
            guard query.type != "" else { throw Refusal(400, "type must not be empty") }
            query.granularity = request.target.query["granularity"]
            guard [nil, "hour", "day"].contains(query.granularity) else {
                throw Refusal(400, "granularity must be hour or day")
            }
        }
        let records = try await request.services.store.records(query)
        let total = try await request.services.store.recordCount(query)
        var writer = JSONWriter(reserving: 256 * records.count + 256)
        writer.beginObject()
        writer.name("success")
        writer.bool(true)
        writer.name("data")
        writer.beginObject()
        writer.name(kind == .progress ? "entries" : "snapshots")
        writer.beginArray()
        for stored in records { writer.raw(stored.record.body) }
        writer.endArray()
        RecordPage.write(query, count: records.count, total: total, to: &writer)
        writer.endObject()
        writer.endObject()
        return .json(writer.bytes)
    }
}
