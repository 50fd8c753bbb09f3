/// The user's offer to pair an app that asks for a token of its own, and the phones that have asked.
///
/// Such an app sends no secret, so anyone in the network can ask. Each phone that asks gets a code, which the app shows. A
/// phone gets a token once the user has confirmed its code and it asks again, from the same address and under the same name.
package struct PairingOffer: Hashable, Sendable {
    /// A phone that asks for a token.
    package struct Claim: Hashable, Sendable {
        /// Six digits that no other phone has got.
        package var code: String
        /// The name that the phone states, as one line of text that can be shown; `nil` if nothing of it can.
        package var statedName: TokenName?
        /// The numeric address of the phone.
        package var address: String
        /// When it asked first.
        package var askedAt: Instant
        /// Whether the user has confirmed the code.
        package var isConfirmed: Bool

        package init(
            code: String, statedName: TokenName?, address: String, askedAt: Instant, isConfirmed: Bool = false
        ) {
            self.code = code
            self.statedName = statedName
            self.address = address
            self.askedAt = askedAt
            self.isConfirmed = isConfirmed
        }

        /// The name and the address, such as `"Anna’s iPhone" at 192.168.1.20`.
        package var description: String { (statedName.map { "\"\($0.text)\"" } ?? "a phone") + " at \(address)" }
    }

    /// The answer to a phone that asks.
    package enum Answer: Hashable, Sendable {
        /// The phone gets a token, and the offer has ended.
        case accepted(Claim)
        /// The user has to confirm the code. `isNew` unless the phone has asked before.
        case unconfirmed(Claim, isNew: Bool)
        /// The user has confirmed another phone.
        case taken
        /// Too many phones have asked.
        case tooMany
    }

    /// How long an offer lasts.
    package static let seconds: Int64 = 600
    /// The maximum number of phones that an offer notes.
    package static let mostClaims = 8
    /// The maximum number of names that one address can ask under.
    package static let mostOfAddress = 2

    /// The name of the device that the user pairs.
    package var device: UserName
    /// When the offer ends.
    package var end: Instant
    /// The phones that have asked, in order.
    package var claims: [Claim]

    package init(device: UserName, end: Instant, claims: [Claim] = []) {
        self.device = device
        self.end = end
        self.claims = claims
    }

    /// Returns whether the offer has not ended. A clock that was set back does not extend it.
    package func isValid(at now: Instant) -> Bool {
        now < end && end <= now.advanced(bySeconds: Self.seconds)
    }

    /// Answers a phone that asks.
    ///
    /// - Parameter random: returns the given number of random bytes.
    package mutating func ask(
        as statedName: TokenName?, from address: String, at now: Instant, random: (Int) -> [UInt8]
    ) -> Answer {
        if let known = claims.first(where: { $0.statedName == statedName && $0.address == address }) {
            if known.isConfirmed { return .accepted(known) }
            return claims.contains(where: \.isConfirmed) ? .taken : .unconfirmed(known, isNew: false)
        }
        guard !claims.contains(where: \.isConfirmed) else { return .taken }
        guard claims.count < Self.mostClaims,
            claims.count(where: { $0.address == address }) < Self.mostOfAddress
        else { return .tooMany }
        let claim = Claim(code: newCode(random), statedName: statedName, address: address, askedAt: now)
        claims.append(claim)
        return .unconfirmed(claim, isNew: true)
    }

    /// Confirms the phone that got `code`, instead of one that was confirmed before. Returns `nil` if no phone got it.
    package mutating func confirm(_ code: String) -> Claim? {
        guard let index = claims.firstIndex(where: { $0.code == code }) else { return nil }
        for other in claims.indices { claims[other].isConfirmed = other == index }
        return claims[index]
    }

    private static let codes: UInt64 = 1_000_000

    private func newCode(_ random: (Int) -> [UInt8]) -> String {
        var number = random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % Self.codes
        while true {
            let digits = String(number)
            let code = String(repeating: "0", count: 6 - digits.utf8.count) + digits
            if !claims.contains(where: { $0.code == code }) { return code }
            number = (number + 1) % Self.codes
        }
    }
}
