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
            let offer = PairingOffer(device: name, end: now.advanced(bySeconds: PairingOffer.seconds))
            try offers.change { $0 = offer }
        }
        var device = PhoneApp.Device(
            name: name, id: token.id, token: text.text, signingSecret: HexDigits.text(token.secretDigest),
            inbox: address)
        device.isOnServer = user != nil
        return device
    }

    package func offer() async throws -> PairingOffer? {
        let now = time.now()
        return try offers?.current().flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    package func confirm(_ code: String) async throws -> PairingOffer.Claim? {
        let now = time.now()
        return try offers?.change { offer in offer?.isValid(at: now) == true ? offer?.confirm(code) : nil }
    }

    /// The answer to a phone that asks for a token.
    package enum Answer: Sendable {
        /// The text of its token.
        case paired(AccessTokenText)
        /// The user has to confirm the phone first.
        case unconfirmed(PairingOffer.Claim, of: UserName, isNew: Bool)
        /// Nobody offers to pair a phone, or another one was confirmed.
        case noOffer
        /// Too many phones have asked.
        case tooMany
    }

    /// Answers a phone that asks for a token. It gets one if the user has confirmed it; then the offer has ended.
    ///
    /// - Parameters:
    ///   - statedName: what the phone calls itself.
    ///   - address: its numeric address.
    package func ask(as statedName: String, from address: String) async throws -> Answer {
        let now = time.now()
        let name = TokenName(stated: statedName)
        let answer = try await BlockingWork.run("healthsync.inbox") { [offers, random] _ in
            try offers?.change { offer -> (PairingOffer.Answer, UserName)? in
                guard var open = offer, open.isValid(at: now) else { return nil }
                let answer = open.ask(as: name, from: address, at: now, random: random.bytes)
                offer = open
                // Before the token exists, so that a failure cannot lead to two.
                if case .accepted = answer { offer = nil }
                return (answer, open.device)
            }
        }
        switch answer {
        case nil, (.taken, _)?: return .noOffer
        case (.tooMany, _)?: return .tooMany
        case (.unconfirmed(let claim, let isNew), let device)?:
            return .unconfirmed(claim, of: device, isNew: isNew)
        case (.accepted(let claim), let device)?: return .paired(try await issue(claim, for: device, at: now))
        }
    }

    private func issue(
        _ claim: PairingOffer.Claim, for device: UserName, at now: Instant
    ) async throws -> AccessTokenText {
        var request = AccessTokenRequest(user: device, scopes: [.ingest])
        request.name = claim.statedName
        var (token, text) = try request.issue(at: now, dayName: "", random: random.bytes, digest: hasher.sha256)
        token.address = claim.address
        try await store.add(token)
        return text
    }

    package func revoke(_ name: UserName) async throws -> [String] {
        let now = time.now()
        try offers?.change { if $0?.device == name { $0 = nil } }
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
