import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Paired devices")
struct PairedDevicesTests {
    private struct World {
        let tokens = InMemoryAccessTokenStore()
        let offers = InMemoryPairingOffers()
        let time = ManualTime()
        var devices: PairedDevices {
            PairedDevices(
                store: tokens, offers: offers, hasher: PlainHasher(), random: UnseededRandom(), time: time)
        }

        init() {}

        func pair(_ name: String = "phone", app: PhoneApp? = .hozz) async throws {
            let (name, address) = (try #require(UserName(name)), try #require(InboxAddress("http://nas")))
            #expect(try await devices.pair(name, app: app, address: address) != nil)
        }

        /// Asks for a token; returns the code that must be confirmed, or "token", "no offer" or "too many".
        func ask(_ name: String = "Anna’s iPhone", from address: String = "192.168.1.20") async throws -> String {
            switch try await devices.ask(as: name, from: address) {
            case .paired: "token"
            case .unconfirmed(let claim, let device, _): device.text == "phone" ? claim.code : "another device"
            case .noOffer: "no offer"
            case .tooMany: "too many"
            }
        }
    }

    private struct PlainHasher: SecretHasher {
        func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.reversed()) }
        func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool { left == right }
    }

    private struct UnseededRandom: RandomSource {
        func fraction() -> Double { .random(in: 0..<1) }
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
    }

    @Test("A phone that asks gets a token only after its code was confirmed, once, with its name and address")
    func confirmed() async throws {
        let world = World()
        #expect(try await world.ask() == "no offer")
        try await world.pair()
        let before = try await world.tokens.tokens()
        let code = try await world.ask()
        #expect(try await world.ask() == code)
        #expect(try await world.tokens.tokens() == before, "nothing was issued")
        #expect(try await world.devices.confirm("x") == nil)
        #expect(try await world.ask() == code)
        #expect(try await world.devices.confirm(code)?.address == "192.168.1.20")
        #expect(try await world.tokens.tokens() == before, "the phone has to ask again")
        #expect(try await world.ask(from: "192.168.1.66") == "no offer")
        #expect(try await world.ask() == "token")
        let made = try #require(try await world.tokens.tokens().first { !before.map(\.id).contains($0.id) })
        #expect(made.user.text == "phone" && made.scopes == [.ingest])
        #expect(made.name?.text == "Anna’s iPhone" && made.address == "192.168.1.20")
        #expect(try await world.ask() == "no offer")
        #expect(try await world.devices.offer() == nil)
    }

    @Test("Of phones that ask at once after the confirmation, one gets a token")
    func race() async throws {
        let world = World()
        try await world.pair()
        let code = try await world.ask()
        _ = try await world.devices.confirm(code)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await world.ask() } }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["token": 1, "no offer": 19])
        #expect(try await world.tokens.tokens().count == 2)
    }

    @Test("An offer ends with its time, the revocation of its device and a later offer", arguments: [true, false])
    func ends(isConfirmed: Bool) async throws {
        for end in ["time", "revocation", "offer"] {
            let world = World()
            try await world.pair()
            let code = try await world.ask()
            if isConfirmed { _ = try await world.devices.confirm(code) }
            switch end {
            case "time": world.time.advance(milliseconds: PairingOffer.seconds * 1_000)
            case "revocation": _ = try await world.devices.revoke(try #require(UserName("phone")))
            default: try await world.pair("tablet")
            }
            #expect(try await world.devices.offer()?.claims.isEmpty ?? true, "\(end)")
            #expect(try await world.devices.confirm(code) == nil, "\(end)")
            #expect(try await world.ask() == (end == "offer" ? "another device" : "no offer"), "\(end)")
            #expect(try await world.tokens.tokens().count == (end == "offer" ? 2 : 1), "\(end)")
        }
    }

    @Test("Another app makes no offer")
    func otherApps() async throws {
        for app in PhoneApp.allCases.filter({ $0 != .hozz }).map({ Optional($0) }) + [nil] {
            let world = World()
            try await world.pair(app: app)
            #expect(try await world.ask() == "no offer")
        }
    }
}
