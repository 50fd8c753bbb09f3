import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Phones that ask to be paired")
struct PairingOfferTests {
    private static let start = Instant(seconds: 1_700_000_000)
    private static let end = start.advanced(bySeconds: PairingOffer.seconds)

    private func bytes(_ number: UInt8) -> (Int) -> [UInt8] {
        { count in Array(repeating: 0, count: count - 1) + [number] }
    }

    private func offer() throws -> PairingOffer {
        PairingOffer(device: try #require(UserName("phone")), end: Self.end)
    }

    /// Asks, and returns the code; `nil` unless the phone has to be confirmed.
    private func code(
        _ offer: inout PairingOffer, _ name: String, _ address: String = "192.168.1.20", random: UInt8 = 0
    ) -> String? {
        let answer = offer.ask(as: TokenName(stated: name), from: address, at: Self.start, random: bytes(random))
        guard case .unconfirmed(let claim, _) = answer else { return nil }
        return claim.code
    }

    @Test("A phone gets a code of six digits, the same each time, and nothing before it is confirmed")
    func codes() throws {
        var offer = try offer()
        #expect(code(&offer, "Anna’s iPhone", random: 7) == "000007")
        #expect(code(&offer, "Anna’s iPhone", random: 9) == "000007")
        #expect(code(&offer, "Anna’s iPhone", "192.168.1.66", random: 7) == "000008", "codes differ")
        #expect(code(&offer, "x", random: 7) == "000009")
        #expect(offer.claims.count == 3 && offer.claims.allSatisfy { !$0.isConfirmed })
        #expect(offer.confirm("000000") == nil && offer.confirm("") == nil)
        #expect(offer.claims.allSatisfy { !$0.isConfirmed })
    }

    @Test("Only the confirmed phone is accepted, at its address under its name")
    func confirmation() throws {
        var offer = try offer()
        let mine = try #require(code(&offer, "Anna’s iPhone"))
        let other = try #require(code(&offer, "Anna’s iPhone", "192.168.1.66"))
        #expect(offer.confirm(other)?.address == "192.168.1.66")
        #expect(offer.confirm(mine)?.address == "192.168.1.20", "instead of the other")
        for (name, address) in [
            ("Anna’s iPhone", "192.168.1.66"), ("x", "192.168.1.20"), ("", "192.168.1.20"),
            ("Anna’s iPhone", "192.168.1.2"), ("Anna’s iPhone", "::ffff:192.168.1.20"),
        ] {
            let answer = offer.ask(as: TokenName(stated: name), from: address, at: Self.start, random: bytes(0))
            #expect(answer == .taken, "\(name) \(address)")
        }
        let accepted = offer.ask(
            as: TokenName(stated: "Anna’s iPhone"), from: "192.168.1.20", at: Self.start, random: bytes(0))
        guard case .accepted(let claim) = accepted else { throw ContractViolation("\(accepted)") }
        #expect(claim.code == mine)
    }

    @Test("An offer notes a limited number of phones, and of names of an address")
    func limits() throws {
        var offer = try offer()
        #expect(PairingOffer.mostOfAddress == 2 && PairingOffer.mostClaims == 8)
        for number in 0..<4 {
            for name in ["a", "b"] { #expect(code(&offer, name, "10.0.0.\(number)") != nil) }
            #expect(code(&offer, "c", "10.0.0.\(number)") == nil)
        }
        #expect(code(&offer, "a", "10.0.0.9") == nil, "the ninth phone")
        #expect(code(&offer, "a", "10.0.0.0") != nil, "the first one again")
        #expect(offer.claims.count == 8 && Set(offer.claims.map(\.code)).count == 8)
    }

    @Test("An offer lasts ten minutes, also if the clock is set back")
    func duration() throws {
        let offer = try offer()
        #expect(PairingOffer.seconds == 600)
        #expect(offer.isValid(at: Self.start))
        #expect(offer.isValid(at: Self.end.advanced(byMilliseconds: -1)))
        #expect(!offer.isValid(at: Self.end))
        #expect(!offer.isValid(at: Self.start.advanced(byMilliseconds: -1)))
        for end in [Int64.min, .max] {
            let damaged = PairingOffer(device: offer.device, end: Instant(milliseconds: end))
            #expect(!damaged.isValid(at: Self.start))
        }
    }

    @Test(
        "In random histories nobody is accepted without the confirmation of the own code",
        arguments: Seeds.range(UInt64(20)))
    func histories(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var offer = try offer()
        var codes: [String: String] = [:]
        var confirmed: String?
        for _ in 0..<200 {
            let (name, address) = (
                "n\(Int.random(in: 0..<3, using: &random))", "10.0.0.\(Int.random(in: 0..<5, using: &random))"
            )
            if Int.random(in: 0..<4, using: &random) == 0,
                let code = codes.values.sorted().randomElement(using: &random)
            {
                #expect(offer.confirm(code) != nil)
                confirmed = code
                continue
            }
            let answer = offer.ask(as: TokenName(name), from: address, at: Self.start) { count in
                (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            switch answer {
            case .accepted(let claim):
                #expect(claim.code == confirmed && codes["\(name) \(address)"] == confirmed)
            case .unconfirmed(let claim, let isNew):
                #expect(confirmed == nil && isNew == (codes["\(name) \(address)"] == nil))
                codes["\(name) \(address)"] = claim.code
            case .taken: #expect(confirmed != nil)
            case .tooMany: #expect(offer.claims.count(where: { $0.address == address }) == 2 || offer.claims.count == 8)
            }
        }
    }

    @Test(
        "A stated name is one short line of visible text",
        arguments: [
            ("Anna’s iPhone", "Anna’s iPhone"), (" a,b\n\u{1B}[31mc\u{202E}d\u{200B} ", "a b  [31mc d"), ("", nil),
            ("\u{0}\u{2028}", nil), (String(repeating: "x", count: 999), String(repeating: "x", count: 64)),
            ("name:x", "name:x"), ("e\u{301}", "e\u{301}"),
        ] as [(String, String?)])
    func names(stated: String, expected: String?) {
        #expect(TokenName(stated: stated)?.text == expected)
    }
}
