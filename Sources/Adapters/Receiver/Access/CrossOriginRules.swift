import HealthSyncDomain

/// Which pages of other sites may use the API in a browser (CORS). The headers are those of the original step server, which
/// used Flask with flask-cors.
package struct CrossOriginRules: Sendable {
    private let origins: Set<ExactText>

    /// - Parameter origins: `*` for all, or origins such as `https://example.org`; empty for none.
    package init(_ origins: [String] = []) {
        self.origins = Set(origins.map { ExactText($0.asciiLowercased) })
    }

    /// Whether the origin is listed by name. While a server requires no tokens, `*` does not count: every page in the
    /// user's browser could read everything.
    func names(_ origin: String) -> Bool { !origin.hasSameBytes(as: "*") && lists(origin) }

    private func lists(_ origin: String) -> Bool { origins.contains(ExactText(origin.asciiLowercased)) }

    private var listsAll: Bool { lists("*") }

    /// Returns the headers of a response to `head`.
    func headers(for head: RequestHead) -> [RequestHead.Header] {
        guard !origins.isEmpty else { return [] }
        guard let origin = head.value("origin") else {
            let only = listsAll ? "*" : origins.count == 1 ? origins.first?.text : nil
            return only.map { [.init("Access-Control-Allow-Origin", $0)] } ?? []
        }
        guard listsAll || lists(origin) else { return [] }
        var headers: [RequestHead.Header] = [.init("Access-Control-Allow-Origin", origin)]
        if let method = head.value("access-control-request-method"), head.method == "OPTIONS",
            Self.methods.contains(where: method.equalsIgnoringASCIICase)
        {
            if let names = head.value("access-control-request-headers") {
                headers.append(.init("Access-Control-Allow-Headers", names))
            }
            headers.append(.init("Access-Control-Allow-Methods", Self.methods.joined(separator: ", ")))
        }
        return headers + [.init("Vary", "Origin")]
    }

    private static let methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]
}

/// The header `Origin` (RFC 6454): a scheme, `://`, and a host with a port if it is not that of the scheme.
enum OriginHeader {
    /// Returns whether the origin is this machine.
    static func isLoopback(_ origin: String) -> Bool {
        let parts = origin.parts(separatedBy: ":", maxSplits: 1)
        return parts.count == 2 && parts[1].removingBytePrefix("//").map { Loopback.isHost($0) } == true
    }

    /// Returns whether the origin is a page of `host`, the value of a header `Host`.
    static func isPage(_ origin: String, of host: String) -> Bool {
        ["https://\(host)", "http://\(host)"].contains(where: origin.equalsIgnoringASCIICase)
    }
}
