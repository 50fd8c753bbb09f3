import HealthSyncDomain
import HealthSyncPorts

/// What a request to the inbox states about its device, and its head without that.
///
/// Apps cannot all set the header `Authorization`, so a token is accepted in other headers and in the path, too.
struct DeviceCredentials: Sendable {
    /// The different tokens in the request, those of headers first.
    let tokens: [AccessTokenText]
    /// Whether the request contains anything where a token belongs.
    let isPresent: Bool
    /// The HMAC-SHA256 of the body in `X-Signature`; empty if it is not one, `nil` without the header.
    let signature: [UInt8]?
    /// The id of a token in the path, which identifies the device that signed the body; `nil` without one.
    let tokenID: String?
    private let path: [String]
    private let head: RequestHead
    private let query: [String: String]

    /// The headers that may contain a token, in lower case, in the order in which they count.
    private static let tokenHeaders = ["authorization", "x-api-key", "api-key", "x-open-wearables-api-key"]
    /// Headers that are not archived.
    private static let secretHeaders = Set(tokenHeaders + ["cookie", "proxy-authorization"])

    init(_ head: RequestHead, target: RequestTarget) {
        var texts = Self.tokenHeaders.flatMap { head.values($0).map(Self.withoutScheme) }
        var path = target.path
        var tokenID: String?
        if path.first == "device", path.count > 1 {
            if AccessTokenText.isID(path[1]) { tokenID = path[1] } else { texts.append(path[1]) }
            path.removeFirst(2)
        }
        self.tokenID = tokenID
        if path.last == "" { path.removeLast() }
        var tokens: [AccessTokenText] = []
        for text in texts {
            if let token = AccessTokenText(text), !tokens.contains(token) { tokens.append(token) }
        }
        self.tokens = tokens
        isPresent = !texts.isEmpty
        signature = head.value("x-signature").map(Self.digest)
        self.path = path
        self.head = head
        query = target.query.archived
    }

    /// Returns the head of the post, without anything that contains a secret.
    ///
    /// - Parameters:
    ///   - device: the name of the device; empty if it is not known.
    ///   - token: the token of the device.
    func inboxHead(
        device: String, token: AccessToken?, at instant: Instant, hasher: any SecretHasher
    ) -> InboxHead {
        let redaction = TokenRedaction(tokens: tokens, device: token, hasher: hasher)
        func shown(_ text: String) -> String { redaction.isRevealed(by: text) ? "" : text }
        return InboxHead(
            method: shown(head.method), path: path.map(shown),
            query: query.filter { !redaction.isRevealed(by: $0.key) && !redaction.isRevealed(by: $0.value) },
            headers: head.headers.compactMap { header in
                Self.secretHeaders.contains(header.name) || redaction.isRevealed(by: header.name)
                    || redaction.isRevealed(by: header.value)
                    ? nil : InboxHead.Header(header.name, header.value)
            }, device: device, receivedAt: instant)
    }

    /// Returns a value of `Authorization` without `Bearer`.
    private static func withoutScheme(_ value: String) -> String {
        BearerCredentials.token(in: value).map(String.init) ?? value
    }

    /// Returns the bytes in `sha256=<hex>` or `<hex>`.
    private static func digest(_ text: String) -> [UInt8] {
        let digits = Array((text.removingBytePrefix("sha256=") ?? text[...]).utf8)
        guard digits.count == 64 else { return [] }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = HexDigits.value(digits[index]), let low = HexDigits.value(digits[index + 1]) else {
                return []
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
