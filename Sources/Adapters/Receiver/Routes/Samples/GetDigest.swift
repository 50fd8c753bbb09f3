import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/digest?type=&start=&seconds=`: returns digests of the samples that start within intervals of the
/// layering tree, and within their halves. `start` is a comma-separated list of up to 100 intervals of one length.
struct GetDigest: Endpoint {
    private static let largestCount = 100

    let operation = Operation(
        "GET", "/api/v1/digest", .scope(.read),
        OpenAPIOperation(
            summary: "Get digests of the samples that start within intervals and their halves",
            query: [
                .init(name: "type", schema: OpenAPIOperation.Schema.text, isRequired: true),
                .init(name: "start", schema: times, isRequired: true, isList: true),
                .init(
                    name: "seconds", schema: #"{"type":"integer","minimum":1,"maximum":1073741824}"#,
                    isRequired: true),
            ], responses: [(200, "Digest")], errors: OpenAPIOperation.readErrors))
    private static let times =
        #"{"type":"array","minItems":1,"maxItems":100,"items":\#(OpenAPIOperation.Schema.instant)}"#

    func response(to request: APIRequest) async throws -> HTTPResponse {
        guard let type = request.query["type"], !type.isEmpty else { throw RequestError(400, "type is missing") }
        let starts = try starts(request.query["start"])
        guard let seconds = try request.integer("seconds", in: 1...(1 << 30)) else {
            throw RequestError(400, "seconds is missing")
        }
        let halves = starts.flatMap { start in
            let middle = start.advanced(bySeconds: seconds / 2)
            return [
                InstantRange(start: start, end: middle),
                InstantRange(start: middle, end: start.advanced(bySeconds: seconds)),
            ]
        }
        let digests = try await request.services.store.digests(of: type, in: halves, user: request.user)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("type")
        writer.string(type)
        writer.name("seconds")
        writer.integer(seconds)
        writer.name("intervals")
        writer.beginArray()
        for (number, start) in starts.enumerated() {
            let (first, second) = (digests[2 * number], digests[2 * number + 1])
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
        guard let text, !text.isEmpty else { throw RequestError(400, "start is missing") }
        let words = text.parts(separatedBy: ",")
        guard words.count <= Self.largestCount else {
            throw RequestError(400, "start must have at most \(Self.largestCount) intervals")
        }
        return try words.map { word in
            guard let instant = RFC3339.instant(String(word)) ?? CalendarDay(String(word))?.utcStart else {
                throw RequestError(400, "start must be a comma-separated list of days or RFC 3339 times")
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
