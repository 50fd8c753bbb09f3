package import HealthSyncDomain
package import HealthSyncPorts

/// Whose inbox a post belongs to.
package struct InboxRecipient: Sendable {
    package var user: UserName
    /// The name of the device that sent the post.
    package var device: String
    package var archive: any InboxArchive
}

/// Finds the inbox of a request by the token of its device.
package struct InboxRecipients: Sendable {
    let tokens: any AccessTokenStore
    /// Returns the recipient of posts with this token; `nil` if it is not the token of a device.
    let recipient: @Sendable (AccessToken) -> InboxRecipient?
    /// Whether a signature without a token may be that of any device. Otherwise the path must contain the id of the
    /// token, so that nothing is received for unknown devices.
    let acceptsAnySigner: Bool

    /// The inbox of one user, whose tokens have the scope `ingest` and the name of the device as their user.
    package static func home(_ archive: any InboxArchive, devices: any AccessTokenStore) -> InboxRecipients {
        InboxRecipients(
            tokens: devices,
            recipient: { token in
                guard token.scopes.contains(.ingest) else { return nil }
                return InboxRecipient(user: token.user, device: token.user.text, archive: archive)
            }, acceptsAnySigner: true)
    }

    /// The inboxes of the users of a server, whose tokens name a device.
    package static func users(_ inboxes: UserInboxes, tokens: any AccessTokenStore) -> InboxRecipients {
        InboxRecipients(
            tokens: tokens,
            recipient: { token in
                token.device.map {
                    InboxRecipient(user: token.user, device: $0.text, archive: inboxes.archive(of: token.user))
                }
            }, acceptsAnySigner: false)
    }

    /// Returns the devices of which one may have signed a request.
    func signers(_ credentials: DeviceCredentials, at now: Instant) async throws -> [InboxSigner] {
        let candidates: [AccessToken]
        if let id = credentials.tokenID {
            candidates = try await tokens.token(id: id).map { [$0] } ?? []
        } else {
            candidates = acceptsAnySigner ? try await tokens.tokens() : []
        }
        return candidates.compactMap { token in
            token.isValid(at: now) ? recipient(token).map { InboxSigner(token: token, recipient: $0) } : nil
        }
    }
}

/// A device that may have signed a request.
struct InboxSigner: Sendable {
    var token: AccessToken
    var recipient: InboxRecipient

    /// Begins the code with which the device signs a body.
    func code(_ hasher: any MessageHasher) -> any MessageCode {
        // The secret of a signature is a text, because users type it into the app.
        hasher.hmacSHA256(key: Array(HexDigits.text(token.secretDigest).utf8))
    }
}
