import HealthSyncDomain
import HealthSyncPorts

/// A request as an endpoint sees it.
struct APIRequest: Sendable {
    let http: HTTPRequest
    let target: RequestTarget
    /// Values of the path's parameters.
    let parameters: [String: String]
    let services: ReceiverServices

    var user: UserName { http.caller.user }

    /// The body's bytes, decompressed.
    func body() throws -> [UInt8] {
        let encoding = http.head.value("content-encoding")?.lowercased() ?? "identity"
        switch encoding {
        case "identity", "": return http.body
        case "gzip", "x-gzip":
            do {
                return try GzipBody.decompressed(http.body, limit: services.limits.bodyBytes)
            } catch GzipBody.Failure.tooLarge {
                throw Refusal(413, "at most \(services.limits.bodyBytes) bytes a body, decompressed")
            } catch {
                throw Refusal(400, "the body is not gzip")
            }
        default: throw Refusal(415, "content-encoding may be gzip")
        }
    }

    /// The key under which the batch came, with the digest of what came; `nil` without a key.
    func batchKey(of body: [UInt8]) throws -> BatchKey? {
        guard let key = http.head.value("idempotency-key") else { return nil }
        guard (1...255).contains(key.utf8.count) else { throw Refusal(400, "idempotency-key is 1 to 255 characters") }
        var content = Array("\(http.head.method)\u{1F}\(http.head.target)\u{1F}".utf8)
        content += body
        return BatchKey(key: key, content: services.hasher.digest(content))
    }

    /// Stores `content` and returns what became of each record.
    func store(_ content: ReceivedWrite.Content, key: BatchKey?) async throws -> [StoreOutcome] {
        try await services.store.store(
            ReceivedWrite(user: user, key: key, receivedAt: services.time.now(), content: content))
    }

    /// The parameter `name` as a day.
    func day(_ name: String) throws -> CalendarDay? {
        guard let text = target.query[name] else { return nil }
        guard let day = CalendarDay(text) else { throw Refusal(400, "\(name) must be a day, YYYY-MM-DD") }
        return day
    }

    /// The parameter `name` as an instant; a day stands for its beginning in UTC, or, where `isEnd`, its end.
    func instant(_ name: String, isEnd: Bool = false) throws -> Instant? {
        guard let text = target.query[name] else { return nil }
        if let instant = RFC3339.instant(text) { return instant }
        guard let day = CalendarDay(text) else { throw Refusal(400, "\(name) must be a day or an RFC 3339 time") }
        return isEnd ? day.advanced(by: 1).utcStart : day.utcStart
    }

    /// The parameter `name` as a whole number within `range`.
    func integer(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = target.query[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw Refusal(400, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
