import HealthSyncDomain

/// An answer.
package struct HTTPResponse: Sendable {
    /// What follows the headers.
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Sent as it is made, chunked.
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

    /// A JSON answer.
    package static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [.init("Content-Type", "application/json")], body: .bytes(bytes))
    }

    /// An error in the words of the endpoints whose shape is fixed.
    package static func error(_ text: String, status: Int = 400) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("error")
        writer.string(text)
        writer.endObject()
        return json(writer.bytes, status: status)
    }

    /// An error as `application/problem+json` (RFC 9457).
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
