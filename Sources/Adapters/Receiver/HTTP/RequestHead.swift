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
