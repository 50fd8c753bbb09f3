import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/digest/records?kind=`: returns digests of the derived records of a kind by month, and of its
/// tombstones.
struct GetRecordDigests: Endpoint {
    let operation = Operation(
        "GET", "/api/v1/digest/records", .scope(.read),
        OpenAPIOperation(
            summary: "Get digests of the derived records of a kind by month, and of its tombstones",
            query: [.recordKind, .from, .to], responses: [(200, "RecordDigests")],
            errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var scan = try request.recordScan()
        let kind = scan.kind
        let days = try await request.services.store.fold(scan, into: [CalendarDay: RecordSetDigest]()) { days, record in
            days[record.day, default: .zero].insert(RecordDigestReading.entry(of: record, kind: kind).content)
        }
        scan.isOfTombstones = true
        let deleted = try await request.services.store.fold(scan, into: RecordSetDigest.zero) { digest, record in
            digest.insert(RecordDigestReading.entry(of: record, kind: kind).content)
        }
        var months: [CalendarPeriod: RecordSetDigest] = [:]
        for (day, digest) in days { months[CalendarPeriod(.month, holding: day), default: .zero] += digest }
        var writer = JSONWriter(reserving: 80 * months.count + 256)
        writer.beginObject()
        writer.name("kind")
        writer.string(kind.rawValue)
        writer.name("months")
        writer.beginArray()
        for (month, digest) in months.sorted(by: { $0.key < $1.key }) {
            writer.beginObject()
            writer.name("month")
            writer.string(month.description)
            Self.write(digest, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.name("deleted")
        writer.beginObject()
        Self.write(deleted, to: &writer)
        writer.endObject()
        writer.endObject()
        return .json(writer.bytes)
    }

    private static func write(_ digest: RecordSetDigest, to writer: inout JSONWriter) {
        writer.name("count")
        writer.integer(digest.count)
        writer.name("content")
        writer.string(HexDigits.text(digest.content))
    }
}

extension APIRequest {
    /// Returns the selection of records by the query parameters `kind`, `from` and `to`.
    func recordScan() throws -> RecordScan {
        guard let text = query["kind"] else { throw RequestError(400, "kind is missing") }
        let kind = RecordKind(rawValue: text)
        guard [.progress, .sleep, .snapshots].contains(kind) else {
            throw RequestError(400, "kind must be progress, sleep or snapshots")
        }
        var scan = RecordScan(user: user, kind: kind)
        scan.from = try day("from")
        scan.through = try day("to")
        return scan
    }
}
