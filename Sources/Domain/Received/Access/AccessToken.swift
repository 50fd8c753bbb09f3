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

/// The name of a user of a receiving server. Records of different users are stored separately.
package struct UserName: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 64 lower-case ASCII letters, digits, `.`, `_` and `-`, starting with a letter or digit, so that it is also
    /// a valid folder name.
    package let text: String

    /// Returns `nil` if `text` is not a valid name.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, Self.isLetterOrDigit(first),
            text.utf8.allSatisfy({ Self.isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The user of a server on loopback that has no tokens.
    package static let local = UserName(unchecked: "local")

    /// The name.
    package var description: String { text }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}

/// A permission of an access token.
package enum AccessScope: String, Sendable, Codable, CaseIterable {
    /// Send records.
    case ingest
    /// Read records.
    case read
    /// Delete records.
    case delete
    /// Fetch the posts of the user's phones, and confirm them, which deletes them from the server.
    case inbox
    /// Read the server's metrics (`/metrics`), and create and revoke the user's own tokens in the browser.
    case admin

    /// What a client needs that delivers a user's records: it also deletes those that no longer exist.
    package static let ofClients: Set<AccessScope> = [.ingest, .read, .delete]
}

extension Set<AccessScope> {
    /// Reads scopes as they are stored (`AccessToken.storedScopes`). Unknown names are ignored.
    package init(stored text: String) {
        self.init(AccessToken.permissions(stored: text).compactMap { AccessScope(rawValue: String($0)) })
    }
}

/// The name that a user gave an access token, such as `Anna's laptop`.
package struct TokenName: Hashable, Sendable {
    /// 1 to 64 characters without commas, control characters and outer spaces.
    package let text: String

    /// Returns `nil` if `text` is not a valid name. Outer spaces are removed.
    package init?(_ text: String) {
        let text = text.withoutOuterSpaces
        guard (1...64).contains(text.count), text.utf8.count <= 256, !text.containsBytes(of: ","),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }

    /// What a valid name is.
    package static let advice = "use 1 to 64 characters without commas"

    /// Returns the name of a phone as the phone states it: without commas and characters that a terminal or browser does not
    /// show or reorders, and shortened; `nil` if nothing is left.
    package init?(stated text: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(Self.mostStatedScalars) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                scalars.append(" ")
            default: scalars.append(scalar == "," ? " " : scalar)
            }
        }
        self.init(String(scalars))
    }

    /// The number of first Unicode scalars of a stated name that count: 64 of four bytes are within the limits of a name.
    private static let mostStatedScalars = 64
}
