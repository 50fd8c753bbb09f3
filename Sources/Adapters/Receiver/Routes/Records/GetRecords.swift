import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/progress` and `GET /api/v1/snapshots`: returns stored records by day, in pages.
struct GetRecords: Endpoint {
    let kind: RecordKind

    var operation: Operation {
        let isProgress = kind == .progress
        let filters: [OpenAPIOperation.Parameter] = [
            .init(name: "type", schema: OpenAPIOperation.Schema.text),
            .init(name: "granularity", schema: #"{"enum":["hour","day"]}"#),
        ]
        return Operation(
            "GET", "/api/v1/\(kind.rawValue)", .scope(.read),
            OpenAPIOperation(
                summary: isProgress ? "Get figures of metrics" : "Get activity snapshots of days",
                query: (isProgress ? filters : []) + [.from, .to, .limit(10_000), .offset],
                responses: [(200, "DataResponse")], errors: OpenAPIOperation.readErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var query = RecordQuery(user: request.user, kind: kind)
        query.from = try request.day("from")
        query.through = try request.day("to")
        query.limit = Int(try request.integer("limit", in: 1...10_000) ?? 2_000)
        query.offset = Int(try request.integer("offset", in: 0...1_000_000_000) ?? 0)
        if kind == .progress {
            query.type = request.query["type"]
            guard query.type != "" else { throw RequestError(400, "type must not be empty") }
            query.granularity = request.query["granularity"]
            guard [nil, "hour", "day"].contains(query.granularity) else {
                throw RequestError(400, "granularity must be hour or day")
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
        writer.page(of: query, count: records.count, total: total)
        writer.endObject()
        writer.endObject()
        return .json(writer.bytes)
    }
}

extension JSONWriter {
    /// Writes the members that describe a page of a query's results.
    mutating func page(of query: RecordQuery, count: Int, total: Int) {
        name("total")
        integer(total)
        name("limit")
        integer(query.limit)
        name("offset")
        integer(query.offset)
        name("has_more")
        bool(query.offset + count < total)
    }
}
