import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/digest?type=&start=&seconds=`: how many samples begin within an interval of the layering tree, and the
/// sum of their ids, for the interval and for its halves.
struct GetDigest: Endpoint {
    let operation = Operation("GET", "/api/v1/digest", .scope(.read), description: OpenAPIText.getDigest)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        guard let type = request.target.query["type"], !type.isEmpty else { throw Refusal(400, "type is missing") }
        guard let start = try request.instant("start") else { throw Refusal(400, "start is missing") }
        guard let seconds = try request.integer("seconds", in: 1...(1 << 30)) else {
            throw Refusal(400, "seconds is missing")
        }
        let middle = start.advanced(bySeconds: seconds / 2)
        let end = start.advanced(bySeconds: seconds)
        let store = request.services.store
        let left = try await store.digest(
            of: type, in: InstantRange(start: start, end: middle), user: request.user)
        let right = try await store.digest(of: type, in: InstantRange(start: middle, end: end), user: request.user)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("type")
        writer.string(type)
        Self.write(left + right, start: start, seconds: seconds, to: &writer)
        writer.name("halves")
        writer.beginArray()
        for (digest, start, seconds) in [(left, start, seconds / 2), (right, middle, seconds - seconds / 2)] {
            writer.beginObject()
            Self.write(digest, start: start, seconds: seconds, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.bytes)
    }

    private static func write(
        _ digest: IntervalDigest, start: Instant, seconds: Int64, to writer: inout JSONWriter
    ) {
        writer.name("start")
        writer.time(start)
        writer.name("seconds")
        writer.integer(seconds)
        writer.name("count")
        writer.integer(digest.count)
        writer.name("sum")
        writer.string(hex(digest.high) + hex(digest.low))
    }

    private static func hex(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
