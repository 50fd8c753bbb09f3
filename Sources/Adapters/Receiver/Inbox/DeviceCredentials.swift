import Foundation
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

/// Finds the secrets of a device in the head of a request: wherever an app puts them, they are not archived.
///
/// A text reveals a secret if it contains, in either case of letters, the text of any token, the secret of the device's token
/// alone, or the secret of its signatures; also percent-encoded, repeatedly if need be, or in Base64 with whatever precedes
/// it, such as the user name of Basic authentication. Bodies are the user's data and are never changed.
private struct TokenRedaction: Sendable {
    /// The known secrets, and their hexadecimal digits in lower case.
    private let secrets: [(bytes: [UInt8], digits: [UInt8])]
    /// SHA-256 of the secret of the device's token, which is the secret of its signatures; `nil` for an unknown device.
    private let digest: [UInt8]?
    private let hasher: any SecretHasher

    /// The hexadecimal digits of a secret.
    private static let digits = 64
    /// How often a text may be percent-encoded.
    private static let mostEncodings = 4
    /// The length of the shortest Base64 text of a secret.
    private static let shortestBase64 = 43

    init(tokens: [AccessTokenText], device: AccessToken?, hasher: any SecretHasher) {
        let known = tokens.map(\.secret) + (device.map { [$0.secretDigest] } ?? [])
        secrets = known.map { ($0, Array(HexDigits.text($0).utf8)) }
        digest = device?.secretDigest
        self.hasher = hasher
    }

    /// Returns whether `text` contains a secret.
    func isRevealed(by text: String) -> Bool {
        var bytes = Array(text.utf8)
        for _ in 0...Self.mostEncodings {
            if isRevealed(by: bytes) || Self.decodedBase64(bytes).contains(where: isRevealedByContent) { return true }
            let decoded = Self.percentDecoded(bytes)
            guard decoded != bytes else { return false }
            bytes = decoded
        }
        return false
    }

    /// Returns whether decoded Base64 is or contains a secret, as bytes or as text.
    private func isRevealedByContent(_ bytes: [UInt8]) -> Bool {
        let count = Self.digits / 2
        return secrets.contains { bytes.firstRange(of: $0.bytes) != nil }
            || isSecret(Array(bytes.prefix(count))) || isSecret(Array(bytes.suffix(count))) || isRevealed(by: bytes)
    }

    /// Returns whether hexadecimal digits in `bytes` are a secret.
    private func isRevealed(by bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { HexDigits.value($0) == nil } ?? bytes.count
            if end - start >= Self.digits,
                Self.followsTokenID(bytes, start) || isSecret(digits: bytes[start..<end])
            {
                return true
            }
            start = end + 1
        }
        return false
    }

    private func isSecret(digits: ArraySlice<UInt8>) -> Bool {
        // The digits a to f in lower case; 0 to 9 have this bit anyway.
        let digits = digits.map { $0 | 0x20 }
        if secrets.contains(where: { digits.firstRange(of: $0.digits) != nil }) { return true }
        // A secret that only its digest identifies. Hashing each part of a long number would be slow, so its ends must do.
        return [digits.prefix(Self.digits), digits.suffix(Self.digits)].contains { part in
            let values = part.compactMap { HexDigits.value($0) }
            return isSecret(stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] })
        }
    }

    private func isSecret(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == Self.digits / 2 else { return false }
        return secrets.contains { $0.bytes == bytes } || digest.map { hasher.sha256(bytes) == $0 } ?? false
    }

    /// Returns whether `hst_ID_` precedes `position`: what follows is the secret of a token, even if of another device.
    private static func followsTokenID(_ bytes: [UInt8], _ position: Int) -> Bool {
        let prefix = Array("hst_".utf8)
        let start = position - prefix.count - 17
        guard start >= 0, bytes[position - 1] == 0x5F else { return false }
        return zip(bytes[start...], prefix).allSatisfy { $0 | 0x20 == $1 | 0x20 }
            && bytes[start + prefix.count..<position - 1].allSatisfy { HexDigits.value($0) != nil }
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x25) else { return bytes }
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = HexDigits.value(bytes[index + 1]),
                let low = HexDigits.value(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// Returns the content of each long run of Base64 digits, of the usual or the URL alphabet. What precedes the text of a
    /// secret may consist of Base64 digits, too, so each run is decoded from each of its first four digits.
    private static func decodedBase64(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split { !isBase64($0) }.flatMap { run in
            (0..<4).compactMap { run.count - $0 >= shortestBase64 ? decodedBase64(run: run.dropFirst($0)) : nil }
        }
    }

    private static func decodedBase64(run: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = run.map { $0 == 0x2D ? UInt8(0x2B) : $0 == 0x5F ? 0x2F : $0 }
        if digits.count % 4 == 1 { digits.removeLast() }
        digits += repeatElement(0x3D, count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x2D, 0x5F: true
        default: false
        }
    }
}
