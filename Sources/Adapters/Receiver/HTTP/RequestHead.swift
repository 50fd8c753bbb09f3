/// What a client asks, before its body is read.
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

    /// Such as `GET`.
    package var method: String
    /// Path and query as they stand in the request line.
    package var target: String
    /// Such as `HTTP/1.1`.
    package var version: String
    /// All header lines in their order, names in lower case.
    package var headers: [Header]
    /// Numeric address of the client, behind a trusted proxy the one that the proxy names.
    package var remoteAddress: String

    package init(method: String, target: String, version: String, headers: [Header], remoteAddress: String) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.remoteAddress = remoteAddress
    }

    /// Values of the lines with that name (given in lower case), in their order.
    package func values(_ name: String) -> [String] {
        headers.compactMap { $0.name == name ? $0.value : nil }
    }

    /// The value of the first line with that name (given in lower case).
    package func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// `Content-Length` where it is a number.
    package var contentLength: Int? { value("content-length").flatMap { Int($0) } }
}
