import HealthSyncDomain

/// Finds requests whose framing two parsers could read in two ways (RFC 9112, section 11.2). `HeadParser` has validated
/// each line; this checks the lines together.
package enum FramingCheck {
    /// Returns why the request is invalid, or `nil` if it is valid. An invalid request gets a 400 response and its
    /// connection is closed.
    package static func error(in head: RequestHead) -> String? {
        for name in [
            "host", "content-length", "transfer-encoding", "authorization", "content-type", "content-encoding",
        ]
        where head.values(name).count > 1 {
            return "more than one \(name) header"
        }
        let host = head.value("host") ?? ""
        guard host.isEmpty ? head.version == "HTTP/1.0" : Authority.isValid(host) else {
            return host.isEmpty ? "the host header is missing" : "the host header is not a host and a port"
        }
        return lengthError(in: head)
    }

    private static func lengthError(in head: RequestHead) -> String? {
        if let encoding = head.value("transfer-encoding") {
            guard encoding.equalsIgnoringASCIICase("chunked") else { return "transfer-encoding must be chunked" }
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
}
