import HealthSyncDomain

/// A response.
package struct HTTPResponse: Sendable {
    /// The content of a response.
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Sent in chunks while it is created.
        case stream(any BodyStream)
    }

    package var status: Int
    package var headers: [RequestHead.Header]
    package var body: Body

    package init(status: Int, headers: [RequestHead.Header] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns a JSON response.
    package static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [.init("Content-Type", "application/json")], body: .bytes(bytes))
    }

    /// Returns an error as `{"error": text}`, for the endpoints that predate `application/problem+json`.
    package static func error(_ text: String, status: Int = 400) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.string(text)
        writer.endObject()
        return json(writer.bytes, status: status)
    }

    /// Returns an error as `application/problem+json` (RFC 9457).
    package static func problem(_ status: Int, _ title: String, headers: [RequestHead.Header] = []) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("type")
        writer.string("about:blank")
        writer.name("title")
        writer.string(title)
        writer.name("status")
        writer.integer(status)
        writer.endObject()
        return HTTPResponse(
            status: status, headers: [.init("Content-Type", "application/problem+json")] + headers,
            body: .bytes(writer.bytes))
    }
}

/// A response body that is created while it is sent.
package protocol BodyStream: Sendable {
    /// Returns the next bytes, never empty, or `nil` at the end. An error closes the connection before the last chunk,
    /// so that the client can tell that the response is incomplete.
    func next() async throws -> [UInt8]?
}
