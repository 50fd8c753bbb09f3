package import HealthSyncDomain
package import HealthSyncPorts

/// The phones that may deliver to the inbox. Commands and the dashboard pair and revoke them by the same rules.
package struct PairedDevices: DeviceActions {
    private let store: any AccessTokenStore
    private let user: UserName?
    private let offers: (any PairingOffers)?
    private let hasher: any SecretHasher
    private let random: any RandomSource
    private let time: any TimeSource

    /// - Parameters:
    ///   - store: the tokens.
    ///   - user: the user of a receiving server to whom the phones belong; `nil` for the inbox of this machine.
    ///   - offers: offers to pair; `nil` on a server, where a stranger could answer one.
    package init(
        store: any AccessTokenStore, user: UserName? = nil, offers: (any PairingOffers)?, hasher: any SecretHasher,
        random: any RandomSource, time: any TimeSource
    ) {
        self.store = store
        self.user = user
        self.offers = offers
        self.hasher = hasher
        self.random = random
        self.time = time
    }

    package func tokens() async throws -> [AccessToken] {
        let tokens = try await store.tokens()
        guard let user else { return tokens }
        return tokens.compactMap { token in
            guard token.user == user, let device = token.device else { return nil }
            var token = token
            token.user = device
            return token
        }
    }

    package func pair(_ name: UserName, app: PhoneApp?, address: InboxAddress) async throws -> PhoneApp.Device? {
        let now = time.now()
        guard try await valid(name, at: now).isEmpty else { return nil }
        let request =
            user.map { AccessTokenRequest(user: $0, scopes: [], device: name) }
            ?? AccessTokenRequest(user: name, scopes: [.ingest])
        let (token, text) = try request.issue(
            at: now, dayName: "", random: random.bytes, digest: hasher.sha256)
        try await store.add(token)
        if app?.asksForToken == true, let offers {
            try offers.offer(name, until: now.advanced(bySeconds: PairingOffer.seconds))
        }
        var device = PhoneApp.Device(
            name: name, id: token.id, token: text.text, signingSecret: HexDigits.text(token.secretDigest),
            inbox: address)
        device.isOnServer = user != nil
        return device
    }

    package func revoke(_ name: UserName) async throws -> [String] {
        let now = time.now()
        var revoked: [String] = []
        for token in try await valid(name, at: now) where try await store.revoke(id: token.id, at: now) {
            revoked.append(token.id)
        }
        return revoked
    }

    private func valid(_ name: UserName, at now: Instant) async throws -> [AccessToken] {
        try await tokens().filter { $0.user == name && $0.isValid(at: now) }
    }
}
