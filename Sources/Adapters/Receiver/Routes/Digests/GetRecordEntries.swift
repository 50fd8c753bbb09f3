import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/digest/entries?kind=`: returns id, revision and checksum of each derived record, or of each tombstone,
/// in pages ordered by the UTF-8 bytes of the ids.
struct GetRecordEntries: Endpoint {
    private static let largestPage: Int64 = 5_000

    let operation = Operation(
        "GET", "/api/v1/digest/entries", .scope(.read),
        OpenAPIOperation(
            summary: "Get id, revision and checksum of each derived record of a kind, ordered by id",
            query: [
                .recordKind, .from, .to, .init(name: "deleted", schema: #"{"type":"boolean"}"#),
                .init(name: "after", schema: OpenAPIOperation.Schema.text), .limit(Int(largestPage)),
            ], responses: [(200, "RecordEntries")], errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var scan = try request.recordScan()
        let deleted = request.query["deleted"] ?? "false"
        guard deleted == "true" || deleted == "false" else { throw RequestError(400, "deleted must be true or false") }
        scan.isOfTombstones = deleted == "true"
        let limit = Int(try request.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage)
        let after = request.query["after"]
        guard after != "" else { throw RequestError(400, "after must not be empty") }
        // One additional entry shows whether more follow.
        scan.page = RecordScan.Page(after: after ?? "", limit: limit + 1)
        let kind = scan.kind
        let entries = try await request.services.store.fold(scan, into: [RecordEntry]()) { entries, record in
            entries.append(RecordDigestReading.entry(of: record, kind: kind))
        }
        return .json(Self.json(entries, kind: kind, limit: limit))
    }

    private static func json(_ entries: [RecordEntry], kind: RecordKind, limit: Int) -> [UInt8] {
        var writer = JSONWriter(reserving: 128 * entries.count + 128)
        writer.beginObject()
        writer.name("kind")
        writer.string(kind.rawValue)
        writer.name("entries")
        writer.beginArray()
        for entry in entries.prefix(limit) {
            writer.beginObject()
            writer.name("id")
            writer.string(entry.id)
            if let day = entry.day {
                writer.name("day")
                writer.string(day.description)
            }
            writer.name("revision")
            writer.integer(entry.revision)
            writer.name("content")
            writer.string(HexDigits.text(entry.content))
            writer.endObject()
        }
        writer.endArray()
        if entries.count > limit {
            writer.name("next")
            writer.string(entries[limit - 1].id)
        }
        writer.endObject()
        return writer.bytes
    }
}
