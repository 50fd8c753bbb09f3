/// A request for a new token, from the command line or a browser.
package struct AccessTokenRequest: Sendable {
    /// The user whose data it gives access to.
    package var user: UserName
    /// The permissions of the token.
    package var scopes: Set<AccessScope>
    /// The user's phone to which it belongs; `nil` for a token that is not of a phone.
    package var device: UserName?
    /// The name of the token; `nil` for none.
    package var name: TokenName?
    /// The last day, in UTC, on which it is valid; `nil` if it does not expire.
    package var lastDay: CalendarDay?
    /// The token of the user who requests it in the browser; `nil` for a request from the command line.
    package var parent: AccessToken?

    package init(
        user: UserName, scopes: Set<AccessScope>, device: UserName? = nil, lastDay: CalendarDay? = nil,
        parent: AccessToken? = nil
    ) {
        self.user = user
        self.scopes = scopes
        self.device = device
        self.lastDay = lastDay
        self.parent = parent
    }

    /// The last year in which a token can be valid. Times in requests are limited to the years 1900 to 2200.
    private static let latestYear = 2200

    /// Creates the token. Returns the part that a server stores, and the text, which is shown once.
    ///
    /// - Parameters:
    ///   - now: the time of creation.
    ///   - dayName: the name of the option or field with the last day, for errors.
    ///   - random: returns the given number of random bytes.
    ///   - digest: returns the SHA-256 digest of bytes.
    /// - Throws: `SyncFailure` with `.usage` if the last day has passed or is too late, or if the token would permit more
    ///   than its parent.
    package func issue(
        at now: Instant, dayName: String, random: (Int) -> [UInt8], digest: ([UInt8]) -> [UInt8]
    ) throws(SyncFailure) -> (token: AccessToken, text: AccessTokenText) {
        if let parent, parent.user != user || !scopes.isSubset(of: parent.scopes) || !parent.isValid(at: now) {
            throw SyncFailure(
                .usage, subject: "new token", reason: "it would permit more than the token that creates it",
                advice: "choose fewer scopes, or create it with `healthsync token create`")
        }
        let expiresAt = try expiry(after: now, dayName: dayName)
        guard let text = AccessTokenText(idBytes: random(8), secret: random(32)) else {
            throw SyncFailure(.unexpected, subject: "token", reason: "no random bytes", advice: "report this")
        }
        var token = AccessToken(
            id: text.id, secretDigest: digest(text.secret), user: user, scopes: scopes, device: device,
            parentID: parent?.id,
            createdAt: now, expiresAt: expiresAt)
        token.name = name
        return (token, text)
    }

    private func expiry(after now: Instant, dayName: String) throws(SyncFailure) -> Instant? {
        guard let lastDay else { return parent?.expiresAt }
        guard lastDay.components.year <= Self.latestYear else {
            throw SyncFailure(
                .usage, subject: dayName, reason: "\(lastDay) is after \(Self.latestYear)",
                advice: "choose an earlier day, or omit it for a token that does not expire")
        }
        let expiry = lastDay.advanced(by: 1).utcStart
        guard now < expiry else {
            throw SyncFailure(
                .usage, subject: dayName, reason: "\(lastDay) has passed", advice: "choose a later day")
        }
        if let limit = parent?.expiresAt, limit < expiry {
            throw SyncFailure(
                .usage, subject: dayName,
                reason: "the token that creates it expires earlier, at \(RFC3339.string(limit))",
                advice: "choose an earlier day, or omit it to expire with that token")
        }
        return expiry
    }
}

/// The text of a token as a client sends it: `hst_<id: 16 hex digits>_<secret: 64 hex digits>`.
package struct AccessTokenText: Hashable, Sendable {
    /// The id of the token, 16 hexadecimal digits.
    package let id: String
    /// The secret, 32 bytes.
    package let secret: [UInt8]

    /// Creates the text from an id of 8 bytes and a secret of 32 bytes; `nil` for other lengths.
    package init?(idBytes: [UInt8], secret: [UInt8]) {
        guard idBytes.count == 8, secret.count == 32 else { return nil }
        id = HexDigits.text(idBytes)
        self.secret = secret
    }

    /// Parses a text; `nil` if it is not a token.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 85, bytes.starts(with: "hst_".utf8), bytes[20] == 0x5F,
            let idBytes = Self.bytes(bytes[4..<20]), let secret = Self.bytes(bytes[21...])
        else { return nil }
        id = HexDigits.text(idBytes)
        self.secret = secret
    }

    /// Returns whether `text` is the id of a token.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 16 && bytes(Array(text.utf8)[...]) != nil
    }

    /// The complete text, including the secret.
    package var text: String { "hst_\(id)_\(HexDigits.text(secret))" }

    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            // Capital digits are rejected, so that each token has exactly one text.
            guard !(0x41...0x46).contains(character), let digit = HexDigits.value(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
