import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/digest?type=&start=&seconds=`: digests of the samples that begin within intervals of the layering tree
/// and within their halves. `start` names up to a hundred intervals of one length, with commas between them.
struct GetDigest: Endpoint {
    static let mostIntervals = 100

    let operation = Operation("GET", "/api/v1/digest", .scope(.read), description: OpenAPIText.getDigest)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        guard let type = request.target.query["type"], !type.isEmpty else { throw Refusal(400, "type is missing") }
        let starts = try starts(request.target.query["start"])
        guard let seconds = try request.integer("seconds", in: 1...(1 << 30)) else {
            throw Refusal(400, "seconds is missing")
        }
        let store = request.services.store
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("type")
        writer.string(type)
        writer.name("seconds")
        writer.integer(seconds)
        writer.name("intervals")
        writer.beginArray()
        for start in starts {
            let middle = start.advanced(bySeconds: seconds / 2)
            let end = start.advanced(bySeconds: seconds)
            let first = try await store.digest(
                of: type, in: InstantRange(start: start, end: middle), user: request.user)
            let second = try await store.digest(of: type, in: InstantRange(start: middle, end: end), user: request.user)
            writer.beginObject()
            writer.name("start")
            writer.time(start)
            Self.write(first + second, to: &writer)
            writer.name("halves")
            writer.beginArray()
            for half in [first, second] {
                writer.beginObject()
                Self.write(half, to: &writer)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.bytes)
    }

    private func starts(_ text: String?) throws -> [Instant] {
        guard let text, !text.isEmpty else { throw Refusal(400, "start is missing") }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count <= Self.mostIntervals else {
            throw Refusal(400, "at most \(Self.mostIntervals) intervals a request")
        }
        return try words.map { word in
            guard let instant = RFC3339.instant(String(word)) ?? CalendarDay(String(word))?.utcStart else {
                throw Refusal(400, "start must be days or RFC 3339 times, with commas between them")
            }
            return instant
        }
    }

    private static func write(_ digest: SampleSetDigest, to writer: inout JSONWriter) {
        writer.name("count")
        writer.integer(digest.count)
        writer.name("sum")
        writer.string(HexDigits.text(digest.ids.high, digest.ids.low))
        writer.name("content")
        writer.string(HexDigits.text(digest.content))
    }
}
