import HealthSyncDomain

/// The cookie of a session. Browsers send it only to this host and not with requests from other sites, and scripts
/// cannot read it.
enum SessionCookie {
    private static let name = "__Host-healthsync"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// Returns the header value that sets the cookie.
    static func setting(_ secret: String) -> String { "\(name)=\(secret); \(attributes)" }

    /// The header value that deletes the cookie.
    static var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// Returns the value of the cookie in a request.
    static func value(of head: RequestHead) -> String? {
        for header in head.values("cookie") {
            for pair in header.parts(separatedBy: ";") {
                let sides = pair.withoutOuterBlanks.parts(separatedBy: "=", maxSplits: 1)
                if sides.count == 2, sides[0].hasSameBytes(as: name) { return String(sides[1]) }
            }
        }
        return nil
    }
}
