import HealthSyncDomain

/// The head of a request: request line, headers and the client's address.
package struct RequestHead: Sendable {
    /// A header line.
    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The number of the request since the server started, which identifies it in logs.
    package let number: Int
    /// Such as `GET`.
    package let method: String
    /// Path and query exactly as in the request line.
    package let rawTarget: String
    /// The name and port of the server to which the request is addressed: those of an absolute target, else the header
    /// `Host`.
    package let host: String?
    /// Path and query, parsed once; `nil` if the target is not a valid path.
    package let target: RequestTarget?
    /// Such as `HTTP/1.1`.
    package let version: String
    /// All header lines in their order, names in lower case.
    package let headers: [Header]
    /// Numeric address of the client. Behind a trusted proxy, the address that the proxy forwarded.
    package let remoteAddress: String

    package init(
        number: Int, method: String, target: String, version: String, headers: [Header], remoteAddress: String
    ) {
        self.number = number
        self.method = method
        let absolute = AbsoluteTarget(target)
        rawTarget = absolute?.path ?? target
        host = absolute?.authority ?? headers.first { $0.name == "host" }?.value
        self.target = RequestTarget(rawTarget)
        self.version = version
        self.headers = headers
        self.remoteAddress = remoteAddress
    }

    /// Returns the values of all headers named `name` (in lower case), in their order.
    package func values(_ name: String) -> [String] { Self.values(name, in: headers) }

    /// Returns the values of all of `headers` named `name` (in lower case), in their order.
    static func values(_ name: String, in headers: [Header]) -> [String] {
        headers.compactMap { $0.name == name ? $0.value : nil }
    }

    /// Returns the value of the first header named `name` (in lower case).
    package func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// `Content-Length`, if it is a number.
    package var contentLength: Int? { value("content-length").flatMap { Int($0) } }

    /// Whether the client waits for a response before it sends the body.
    var expectsContinue: Bool {
        version == "HTTP/1.1"
            && values("expect").contains { $0.listMembers.contains { $0.equalsIgnoringASCIICase("100-continue") } }
    }

    /// Whether the client asks to close the connection after the response.
    var closesConnection: Bool {
        values("connection").contains { $0.listMembers.contains { $0.equalsIgnoringASCIICase("close") } }
    }

    /// The key under which limits on clients count the request.
    var remoteNetwork: String { ClientAddress.network(of: remoteAddress) }

    /// The method by which routes are matched: a HEAD request is handled like GET.
    var routedMethod: String { method == "HEAD" ? "GET" : method }
}

/// The media types in a request.
extension RequestHead {
    /// Whether the client asks for lines of JSON: `Accept` names their media type, with any weight.
    var acceptsLines: Bool {
        values("accept").contains { value in
            value.listMembers.contains { Self.mediaType($0).equalsIgnoringASCIICase("application/x-ndjson") }
        }
    }

    /// Whether the body is a form.
    var hasFormBody: Bool {
        value("content-type").map { Self.mediaType($0) }?.equalsIgnoringASCIICase("application/x-www-form-urlencoded")
            ?? false
    }

    /// Returns a reader of the body if it is a form with files; otherwise `nil`.
    var multipartReader: MultipartReader? { value("content-type").flatMap { MultipartReader(contentType: $0) } }

    /// Returns a media type without its parameters (RFC 9110, section 8.3.1).
    private static func mediaType(_ value: some StringProtocol) -> Substring {
        Substring(value).parts(separatedBy: ";")[0].withoutOuterBlanks
    }
}

/// Finds the end of a request's head in bytes that arrive in pieces, and rejects bytes that no head may contain. Lines end
/// with CR LF and nothing else, because programs that also accept other ends divide the same bytes into other requests.
struct HeadScanner {
    /// What was found.
    enum Outcome: Equatable {
        case incomplete
        /// The head, with the empty line at its end, has this many bytes.
        case complete(Int)
        case invalid(String)
    }

    private var previous: UInt8 = 0
    private var isLineEmpty = true
    private var lines = 0
    private var count = 0

    /// Continues with `bytes`, which contain everything from the start of the head.
    mutating func scan(_ bytes: ArraySlice<UInt8>) -> Outcome {
        while count < bytes.count {
            let byte = bytes[bytes.startIndex + count]
            count += 1
            if previous == 0x0D, byte != 0x0A { return .invalid("a line of the head ends with CR alone") }
            switch byte {
            case 0x0A:
                guard previous == 0x0D else { return .invalid("a line of the head ends with LF alone") }
                // One empty line before the request line is allowed (RFC 9112, section 2.2).
                if isLineEmpty, lines > 0 { return .complete(count) }
                lines += isLineEmpty ? 0 : 1
                if isLineEmpty, count > 2 { return .invalid("the request line is empty") }
                isLineEmpty = true
            case 0x0D: break
            case 0x09, 0x20...0x7E, 0x80...0xFF: isLineEmpty = false
            default: return .invalid("the head contains control characters")
            }
            previous = byte
        }
        return .incomplete
    }
}

/// Parses the head of a request. It accepts only what every HTTP parser reads in the same way (RFC 9112): a header line is
/// a token, a colon and a value, without continuation lines.
struct HeadParser {
    /// Why a head is rejected.
    struct Failure: Error, Equatable {
        let status: Int
        let reason: String
    }

    private(set) var method = ""
    private(set) var target = ""
    private(set) var version = ""
    /// All header lines in their order, names in lower case.
    private(set) var headers: [RequestHead.Header] = []

    private static let largestCount = 128

    /// Parses `bytes`, a head that `HeadScanner` found complete.
    init(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        // Without the empty line at the end; an empty line may precede the request line.
        var lines = bytes.dropLast(2)
        if lines.first == 0x0D { lines = lines.dropFirst(2) }
        try readRequestLine(Self.nextLine(&lines))
        while !lines.isEmpty {
            guard let header = Self.header(Self.nextLine(&lines)) else {
                throw Failure(status: 400, reason: "a header line is not a name, a colon and a value")
            }
            guard headers.count < Self.largestCount else {
                throw Failure(status: 431, reason: "a request has at most \(Self.largestCount) header lines")
            }
            headers.append(header)
        }
    }

    private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(Failure) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, Self.isToken(parts[0]), !parts[1].isEmpty,
            parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw Failure(status: 400, reason: "the request line is not a method, a target and a version") }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            let isHTTP = parts[2].count == 8 && version.hasBytePrefix("HTTP/")
            throw Failure(status: isHTTP ? 505 : 400, reason: "the version is not HTTP/1.1 or HTTP/1.0")
        }
    }

    /// Removes the first line, without its end.
    private static func nextLine(_ lines: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = lines.firstIndex(of: 0x0D) ?? lines.endIndex
        defer { lines = lines[end...].dropFirst(2) }
        return lines[..<end]
    }

    /// Returns the header in a line of a head or trailer, or `nil` if the line is invalid.
    static func header(_ line: ArraySlice<UInt8>) -> RequestHead.Header? {
        guard let colon = line.firstIndex(of: 0x3A), isToken(line[..<colon]) else { return nil }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
        guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else { return nil }
        return RequestHead.Header(lowerCase(line[..<colon]), String(decoding: value, as: UTF8.self))
    }

    private static func lowerCase(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns whether `bytes` are a token (RFC 9110, section 5.6.2).
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                // !#$%&'*+-.^_`|~
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }
}
