import HealthSyncDomain
import Synchronization

/// Writes responses as HTTP/1.1.
struct ResponseWriter {
    /// The request's method and version, as far as they were read.
    var isHead = false
    var isOldVersion = false
    /// Whether the connection closes after the response.
    var closes = false
    let now: Instant

    /// Appends the head and, unless it is streamed, the body to `output`.
    func write(_ response: HTTPResponse, to output: inout [UInt8]) {
        var text = "HTTP/1.1 \(response.status) \(Self.reason(response.status))\r\nDate: \(Self.date(now))\r\n"
        for header in response.headers where Self.isSafe(header) { text += "\(header.name): \(header.value)\r\n" }
        if closes { text += "Connection: close\r\n" }
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        switch response.body {
        case .bytes(let body):
            if hasBody { text += "Content-Length: \(body.count)\r\n" }
            output += (text + "\r\n").utf8
            if hasBody, !isHead { output += body }
        case .stream:
            if !isOldVersion { text += "Transfer-Encoding: chunked\r\n" }
            output += (text + "\r\n").utf8
        }
    }

    /// Appends a piece of a streamed body, or its end, to `output`.
    func writeChunk(_ piece: [UInt8]?, to output: inout [UInt8]) {
        if !isOldVersion { output += "\(String(piece?.count ?? 0, radix: 16))\r\n".utf8 }
        if let piece { output += piece }
        if !isOldVersion { output += "\r\n".utf8 }
    }

    /// Tells the client to send the body that it announced with `Expect: 100-continue`.
    static let goAhead = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Whether the header cannot end its line.
    private static func isSafe(_ header: RequestHead.Header) -> Bool {
        !header.value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    private static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 303: "See Other", 304: "Not Modified",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        409: "Conflict", 411: "Length Required", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 421: "Misdirected Request", 422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage",
    ]

    /// Returns the value of a `Date` header (RFC 9110, section 5.6.7).
    static func date(_ instant: Instant) -> String {
        let seconds = Int64((Double(instant.milliseconds) / 1_000).rounded(.down))
        let day = CalendarDay(utcDayOf: instant)
        let (year, month, dayOfMonth) = day.components
        let time = seconds - day.utcStart.milliseconds / 1_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day.weekdayName), \(two(Int64(dayOfMonth))) \(months[month - 1]) \(year) "
            + "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// Creates the pieces of a streamed body, one at a time.
final class StreamPump: Sendable {
    /// What was created last.
    enum Piece: Sendable {
        /// Nothing yet.
        case none
        case bytes([UInt8])
        case end
        /// The stream failed; the connection closes before the last chunk.
        case failed
    }

    private let stream: any BodyStream
    private let connection: ConnectionHandle
    private let piece = Mutex(Piece.none)

    init(_ stream: any BodyStream, connection: ConnectionHandle) {
        self.stream = stream
        self.connection = connection
    }

    /// Returns the piece that was created, once.
    func take() -> Piece {
        piece.withLock { piece in
            defer { piece = .none }
            return piece
        }
    }

    /// Creates the next piece and resumes the connection.
    func fetch() {
        // Unstructured because the server's thread has no task.
        Task {
            let created: Piece
            do {
                created = try await stream.next().map { .bytes($0) } ?? .end
            } catch {
                created = .failed
            }
            piece.withLock { $0 = created }
            connection.resume()
        }
    }
}
