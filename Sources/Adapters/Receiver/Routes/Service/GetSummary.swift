import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/summary`: returns the latest record of each kind and the extent of the samples.
struct GetSummary: Endpoint {
    let operation = Operation(
        "GET", "/api/v1/summary", .scope(.read),
        OpenAPIOperation(
            summary: "Get the latest records and the extent of the samples", responses: [(200, "DataResponse")],
            errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let store = request.services.store
        let inventory = try await store.inventory(of: request.user)
        var writer = JSONWriter(reserving: 2048)
        writer.beginObject()
        writer.name("success")
        writer.bool(true)
        writer.name("data")
        writer.beginObject()
        writer.name("snapshot")
        if let snapshot = try await latest(.snapshots, type: nil, of: request) {
            writer.raw(snapshot.record.body)
        } else {
            writer.null()
        }
        writer.name("sleep")
        if let session = try await latest(.sleep, type: nil, of: request) {
            SleepData.write(session, user: request.user, hasher: request.services.hasher, to: &writer)
        } else {
            writer.null()
        }
        writer.name("progress")
        writer.beginArray()
        for entry in inventory.records where entry.kind == .progress {
            if let day = try await latest(.progress, type: entry.type, of: request) { writer.raw(day.record.body) }
        }
        writer.endArray()
        writer.name("samples")
        writer.beginArray()
        for samples in inventory.samples { Self.write(samples, to: &writer) }
        writer.endArray()
        writer.endObject()
        writer.endObject()
        return .json(writer.bytes)
    }

    private func latest(_ kind: RecordKind, type: String?, of request: APIRequest) async throws -> StoredRecord? {
        var query = RecordQuery(user: request.user, kind: kind)
        query.type = type
        query.granularity = kind == .progress ? "day" : nil
        query.isDescending = true
        query.limit = 1
        return try await request.services.store.records(query).first
    }

    private static func write(_ samples: ReceivedInventory.Samples, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("type")
        writer.string(samples.type)
        writer.name("count")
        writer.integer(samples.count)
        writer.name("first_start")
        writer.time(samples.firstStart)
        writer.name("last_end")
        writer.time(samples.lastEnd)
        writer.endObject()
    }
}
