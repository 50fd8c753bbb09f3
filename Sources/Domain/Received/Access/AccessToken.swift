/// An access token as a server stores it. The secret itself is shown once, when the token is created, and not stored.
package struct AccessToken: Hashable, Sendable {
    /// 16 hexadecimal digits that identify the token; not secret.
    package var id: String
    /// SHA-256 of the secret, 32 bytes.
    package var secretDigest: [UInt8]
    /// The user whose data it gives access to.
    package var user: UserName
    /// The permissions of the token.
    package var scopes: Set<AccessScope>
    /// The token whose holder created this one in the browser; `nil` if it was created on the command line. A token never
    /// outlives its parent: it expires no later, and is revoked with it.
    package var parentID: String?
    /// The user's phone to which the token belongs. It can only deliver posts to the inbox of a server, so it has no
    /// scopes; `nil` for any other token.
    package var device: UserName?
    /// The name that its user gave it, for the list of tokens, or that a phone which asked for the token gave itself; `nil`
    /// for none.
    package var name: TokenName?
    /// The numeric address of the phone that asked for the token; `nil` if the user created it.
    package var address: String?
    /// When it was created.
    package var createdAt: Instant
    /// When it expires; `nil` for never.
    package var expiresAt: Instant?
    /// When it was last used, accurate to a minute; `nil` for never.
    package var lastUsedAt: Instant?
    /// When it was revoked; `nil` if it was not.
    package var revokedAt: Instant?

    package init(
        id: String, secretDigest: [UInt8], user: UserName, scopes: Set<AccessScope>, device: UserName? = nil,
        parentID: String? = nil, createdAt: Instant, expiresAt: Instant? = nil, lastUsedAt: Instant? = nil,
        revokedAt: Instant? = nil
    ) {
        self.id = id
        self.secretDigest = secretDigest
        self.user = user
        self.scopes = scopes
        self.parentID = parentID
        self.device = device
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
    }

    /// The stored form of what the token permits: the names of the scopes in alphabetical order and `device:NAME`, then the
    /// address of a phone as `from:ADDRESS`, separated by commas. Versions that do not know devices ignore them, so such a
    /// token permits nothing there. The name of the token follows, as `name:NAME`.
    package var storedScopes: String {
        let permissions = (scopes.map(\.rawValue) + (device.map { [Self.devicePrefix + $0.text] } ?? [])).sorted()
        let origin = [address.map { Self.addressPrefix + $0 }, name.map { Self.namePrefix + $0.text }]
        return (permissions + origin.compactMap(\.self)).joined(separator: ",")
    }

    /// Returns the address in the stored form `text`; `nil` if it contains none.
    package static func address(stored text: String) -> String? {
        permissions(stored: text).lazy.compactMap { $0.removingBytePrefix(addressPrefix) }.first.map { String($0) }
    }

    /// Returns the name in the stored form `text`; `nil` if it contains none.
    package static func name(stored text: String) -> TokenName? {
        parts(stored: text).name.flatMap { TokenName(String($0)) }
    }

    /// Returns the device in the stored form `text`; `nil` if it names none.
    package static func device(stored text: String) -> UserName? {
        permissions(stored: text).lazy.compactMap { $0.removingBytePrefix(devicePrefix) }
            .compactMap { UserName(String($0)) }.first
    }

    /// Returns the permissions in the stored form `text`.
    static func permissions(stored text: String) -> [Substring] { parts(stored: text).permissions }

    /// Divides the stored form. The name is the rest of the text, so that nothing in it is a permission.
    private static func parts(stored text: String) -> (permissions: [Substring], name: Substring?) {
        let all = text.parts(separatedBy: ",")
        let count = all.firstIndex { $0.hasBytePrefix(namePrefix) } ?? all.count
        let name = count < all.count ? text[all[count].startIndex...].removingBytePrefix(namePrefix) : nil
        return (Array(all[..<count]), name)
    }

    private static let devicePrefix = "device:"
    private static let namePrefix = "name:"
    private static let addressPrefix = "from:"

    /// Whether a token can be used.
    package enum State: String, Sendable {
        case valid = "good"
        case expired
        case revoked
    }

    /// Returns the state at `now`.
    package func state(at now: Instant) -> State {
        revokedAt != nil ? .revoked : isValid(at: now) ? .valid : .expired
    }

    /// Returns whether the token can be used at `now`.
    package func isValid(at now: Instant) -> Bool {
        guard revokedAt == nil else { return false }
        guard let expiresAt else { return true }
        return now < expiresAt
    }
}
