/// Finds requests whose framing two parsers could read in two ways (RFC 9112, section 11.2): libmicrohttpd accepts more
/// than the proxies in front of it.
package enum FramingCheck {
    /// Returns why the request is invalid, or `nil` if it is valid. An invalid request gets a 400 response and its
    /// connection is closed.
    package static func error(in head: RequestHead) -> String? {
        guard head.version == "HTTP/1.1" || head.version == "HTTP/1.0" else { return "unknown HTTP version" }
        guard isToken(head.method) else { return "the method is not a token" }
        guard head.rawTarget.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "the target contains characters that are not printable ASCII"
        }
        for header in head.headers {
            guard isToken(header.name) else { return "a header name is not a token" }
            guard header.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                return "a header value contains control characters"
            }
        }
        for name in [
            "host", "content-length", "transfer-encoding", "authorization", "content-type", "content-encoding",
        ]
        where head.values(name).count > 1 {
            return "more than one \(name) header"
        }
        if head.version == "HTTP/1.1", (head.value("host") ?? "").isEmpty { return "the host header is missing" }
        return lengthError(in: head)
    }

    private static func lengthError(in head: RequestHead) -> String? {
        if let encoding = head.value("transfer-encoding") {
            guard encoding.lowercased() == "chunked" else { return "transfer-encoding must be chunked" }
            if head.value("content-length") != nil { return "both content-length and transfer-encoding" }
            if head.version == "HTTP/1.0" { return "transfer-encoding requires HTTP/1.1" }
        }
        if let length = head.value("content-length"),
            !(1...18).contains(length.utf8.count) || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            return "content-length is not a number"
        }
        return nil
    }

    /// Returns whether `text` is a token (RFC 9110, section 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
