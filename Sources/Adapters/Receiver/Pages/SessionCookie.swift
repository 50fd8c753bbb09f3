/// The cookie of a session: sent to this host alone, never with a request that begins on another site, not seen by script.
enum SessionCookie {
    private static let name = "__Host-healthsync"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The header value that gives it to a browser.
    static func setting(_ secret: String) -> String { "\(name)=\(secret); \(attributes)" }

    /// The header value that takes it away.
    static var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// Its value in a request.
    static func value(of head: RequestHead) -> String? {
        for header in head.values("cookie") {
            for pair in header.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2, sides[0].drop(while: { $0 == " " }) == name { return String(sides[1]) }
            }
        }
        return nil
    }
}
