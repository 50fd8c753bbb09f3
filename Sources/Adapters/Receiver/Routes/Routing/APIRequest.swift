import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport

/// A request as an endpoint receives it.
struct APIRequest: Sendable {
    let http: HTTPRequest
    let target: RequestTarget
    /// Values of the path's parameters.
    let parameters: [String: String]
    let services: ReceiverServices

    var user: UserName { http.caller.user }
    /// Parameters of the query.
    var query: QueryParameters { target.query }

    /// The longest body in bytes that is decoded at once, because that takes less than a millisecond.
    private static let shortBody = 16 << 10

    /// Decodes a body with `decode`, if it is long or compressed when it is the user's turn: that may take many milliseconds
    /// of a core.
    func decoded<Value>(_ decode: () throws -> Value) async throws -> Value {
        let isShort = http.body.count <= Self.shortBody && http.head.value("content-encoding") == nil
        return isShort ? try decode() : try await services.decoding.perform(for: user, decode)
    }

    /// Returns the body, decompressed.
    func body() throws -> [UInt8] {
        let body = try decompressedBody()
        let limit = services.limits.jsonValues
        guard !JSONDocument.hasMoreValues(body, than: limit) else {
            throw RequestError(413, "a body must have at most \(limit) JSON values")
        }
        return body
    }

    private func decompressedBody() throws -> [UInt8] {
        switch ContentCoding(http.head.value("content-encoding")) {
        case .identity: return http.body
        case .gzip:
            do {
                return try Gzip.decompressed(http.body, limit: services.limits.bodyBytes)
            } catch Gzip.Failure.tooLarge {
                throw RequestError(413, "a decompressed body must have at most \(services.limits.bodyBytes) bytes")
            } catch {
                throw RequestError(400, "the body is not valid gzip")
            }
        case .unknown: throw RequestError(415, "content-encoding must be gzip or identity")
        }
    }

    /// Returns the idempotency key of the request with a digest of its content, or `nil` if it has no key.
    func batchKey(of body: [UInt8]) throws -> BatchKey? {
        guard let key = http.head.value("idempotency-key") else { return nil }
        guard (1...255).contains(key.utf8.count) else {
            throw RequestError(400, "idempotency-key must have 1 to 255 characters")
        }
        var content = Array("\(http.head.method)\u{1F}\(http.head.rawTarget)\u{1F}".utf8)
        content += body
        return BatchKey(key: key, content: services.hasher.digest(content))
    }

    /// Stores `content` and returns the outcome for each record.
    func store(_ content: ReceivedWrite.Content, key: BatchKey?) async throws -> [StoreOutcome] {
        try await services.store.store(
            ReceivedWrite(user: user, key: key, receivedAt: services.time.now(), content: content))
    }

    /// Returns the query parameter `name` as a day.
    func day(_ name: String) throws -> CalendarDay? {
        guard let text = query[name] else { return nil }
        guard let day = CalendarDay(text) else { throw RequestError(400, "\(name) must be a day, YYYY-MM-DD") }
        return day
    }

    /// Returns the query parameter `name` as an instant. A day means its start in UTC or, if `isEnd`, its end.
    func instant(_ name: String, isEnd: Bool = false) throws -> Instant? {
        guard let text = query[name] else { return nil }
        if let instant = RFC3339.instant(text) { return instant }
        guard let day = CalendarDay(text) else {
            throw RequestError(400, "\(name) must be a day or an RFC 3339 time")
        }
        return isEnd ? day.advanced(by: 1).utcStart : day.utcStart
    }

    /// Returns the query parameter `name` as an integer in `range`.
    func integer(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = query[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw RequestError(400, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension APIRequest {
    /// Returns the sample type in the path, or `steps` for paths without one.
    func sampleType() throws -> String {
        guard let type = parameters["type"] else { return "steps" }
        let hasValidCharacters = type.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard hasValidCharacters, (1...128).contains(type.utf8.count) else {
            throw RequestError(400, "a type must have 1 to 128 letters, digits, dots, hyphens or underscores")
        }
        return type
    }
}

/// The services that endpoints use.
package struct ReceiverServices: Sendable {
    package var store: any ReceivedDataStore
    package var hasher: any ContentHasher
    package var time: any TimeSource
    package var limits: ServerLimits
    /// Receives the causes of responses with status 500 and 503.
    package var log: any EventLog
    /// The program's version.
    package var version: String
    /// The posts of phones that wait; `nil` if the server has no inboxes.
    package var inboxes: UserInboxes?
    /// Where requests wait to be decoded: on all cores, and users take turns.
    package var decoding = TurnGate<UserName>(places: ProcessInfo.processInfo.activeProcessorCount)

    package init(
        store: any ReceivedDataStore, hasher: any ContentHasher, time: any TimeSource, limits: ServerLimits,
        log: any EventLog, version: String, inboxes: UserInboxes? = nil
    ) {
        self.store = store
        self.hasher = hasher
        self.time = time
        self.limits = limits
        self.log = log
        self.version = version
        self.inboxes = inboxes
    }
}

/// The error for a request that is rejected as a whole.
struct RequestError: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) { self.response = response }

    /// Creates an error whose response is an `application/problem+json` document.
    init(_ status: Int, _ title: String) { response = .problem(status, title) }
}

/// The error for an invalid record. The other records of its request are still stored.
struct InvalidRecord: Error {
    /// The id as the client sent it; empty if it is missing.
    var id: String
    /// Which member is invalid, and why.
    var reason: String
}
