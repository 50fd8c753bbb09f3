import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("pair")
struct PairCommandTests {
    // The random source of the harness counts.
    private static let token =
        "hst_0001020304050607_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    /// SHA-256 of the bytes 0 to 31.
    private static let secret = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"

    @Test("The token, its fields and the address of this machine are printed once")
    func pairs() async throws {
        let harness = CommandHarness()
        let outcome = await harness.run("pair anna-phone")
        #expect(outcome.status == .done)
        #expect(outcome.output.hasPrefix("Paired anna-phone. In the app, fill in:\n"))
        #expect(outcome.output.contains("http://192.168.1.5:8000/device/\(Self.token)/"))
        #expect(outcome.output.contains("Authorization: Bearer \(Self.token)"))
        #expect(outcome.errors == ["healthsync: save the token; it is not shown again"])
        let stored = try #require(try await devices(of: harness).tokens().first)
        #expect(stored.user.text == "anna-phone")
        #expect(stored.scopes == [.ingest])
        #expect(stored.expiresAt == nil)
        let listed = await harness.run("device list --json")
        #expect(listed.output.contains("\"device\": \"anna-phone\""))
        #expect(listed.output.contains("\"state\": \"paired\""))
        #expect(!listed.output.contains(Self.token))
        #expect(!(await harness.run("device list").output).contains(Self.token))
    }

    @Test(
        "An app is named as listed, not as in messages; otherwise no device is paired",
        arguments: ["Hozz", "healthAutoExport", "x"])
    func unknownApp(name: String) async throws {
        let harness = CommandHarness()
        let outcome = await harness.run("pair phone --app \(name)")
        #expect(
            outcome.status == .usage && outcome.errors.first?.contains("use one of health-auto-export, hozz") == true)
        #expect(try await devices(of: harness).tokens().isEmpty)
    }

    @Test("With --user, a token of a phone is added to the store of the server, and nothing else")
    func pairsOnAServer() async throws {
        let harness = CommandHarness()
        let missing = await harness.run("pair anna-phone --user anna")
        #expect(missing.status == .usage)
        #expect(missing.errors.first?.contains("--address") == true)
        let outcome = await harness.run(
            "pair anna-phone --user anna --app hozz --address https://health.example --json")
        #expect(outcome.status == .done)
        #expect(outcome.output.contains("\"address\": \"https://health.example/inbox\""))
        // Anyone could answer an offer on the internet.
        let text = await CommandHarness().run("pair x --user bert --app hozz --address https://h")
        #expect(text.status == .done && !text.output.contains("10 minutes"))
        #expect(try await devices(of: harness).tokens().isEmpty)
        let store = try await harness.factory.receiving.tokens(.sqlite(path: "/any"))
        let token = try #require(try await store.tokens().first)
        #expect(token.user.text == "anna" && token.device?.text == "anna-phone" && token.scopes.isEmpty)
        let again = await harness.run("pair anna-phone --user anna --address https://health.example")
        #expect(again.status == .usage)
        #expect(await harness.run("device list --user anna").output.contains("anna-phone"))
        #expect(!(await harness.run("device list --user bert").output).contains("anna-phone"))
        #expect(await harness.run("device revoke anna-phone --user bert").status == .noInput)
        #expect(await harness.run("device revoke anna-phone --user anna").status == .done)
        #expect(try await store.token(id: token.id)?.revokedAt != nil)
    }

    @Test("Every app gets the fields that it asks for", arguments: PhoneAppName.all)
    func apps(app: PhoneAppName) async throws {
        let outcome = await CommandHarness().run(
            "pair pixel --app \(app.name) --address HTTPS://home.example:8443/x/ --json")
        #expect(outcome.status == .done)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(object["token"] as? String == Self.token)
        #expect(object["signingSecret"] as? String == Self.secret)
        #expect(object["address"] as? String == "https://home.example:8443/x")
        let fields = try #require(object["fields"] as? [[String: String]])
        let values = fields.map { ($0["name"] ?? "") + "=" + ($0["value"] ?? "") }
        for expected in app.fields {
            let text = expected.replacing("TOKEN", with: Self.token).replacing("SECRET", with: Self.secret)
            #expect(values.contains(text), "\(values)")
        }
    }

    struct PhoneAppName: CustomTestStringConvertible {
        var name: String
        var fields: [String]
        var testDescription: String { name }

        static let all = [
            PhoneAppName(
                name: "health-auto-export",
                fields: ["URL=https://home.example:8443/x/api/data", "Headers=Authorization: Bearer TOKEN"]),
            PhoneAppName(name: "hozz", fields: ["URL=https://home.example:8443/x/", "Authorization=TOKEN"]),
            PhoneAppName(
                name: "open-wearables", fields: ["Host=https://home.example:8443/x", "User=pixel", "API key=TOKEN"]),
            PhoneAppName(
                name: "hc-webhook", fields: ["Webhook URL=https://home.example:8443/x/device/TOKEN/hc-webhook"]),
            PhoneAppName(
                name: "life-dashboard",
                fields: [
                    "Webhook URL=https://home.example:8443/x/life-dashboard", "HMAC signing secret=SECRET",
                ]),
            PhoneAppName(
                name: "hcgateway",
                fields: ["Server address=https://home.example:8443/x", "Username=pixel", "Password=TOKEN"]),
            PhoneAppName(name: "shortcuts", fields: ["URL=https://home.example:8443/x/device/TOKEN/shortcuts"]),
            PhoneAppName(name: "steps", fields: ["Server address=https://home.example:8443/x/device/TOKEN"]),
        ]
    }

    @Test("The deep link of Health Auto Export has the parameters of its documentation")
    func deepLink() async throws {
        let outcome = await CommandHarness().run("pair phone --app health-auto-export --json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let links = try #require(object["links"] as? [String])
        #expect(object["qrCode"] as? String == links.first)
        // Workouts are not imported, so no automation for them is offered.
        #expect(links.count == 1)
        for link in links {
            let parts = try #require(URLComponents(string: link))
            #expect(parts.scheme == "com.HealthExport")
            #expect(parts.host == "automation")
            let items = Dictionary(
                uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
            #expect(items["url"] == "http://192.168.1.5:8000/api/data")
            #expect(items["headers"] == "Authorization,Bearer \(Self.token)")
            #expect(items["datatype"] == "healthMetrics")
            #expect(items["format"] == "json")
            #expect(items["exportversion"] == "v2")
        }
    }

    @Test(
        "zbarimg reads the QR code of a dark terminal, a light one and a file",
        .enabled(if: Command.isInstalled("zbarimg"), "zbarimg is not installed; make check installs it"),
        arguments: [
            (width: 100, hasColor: true, isLight: false), (width: 100, hasColor: true, isLight: true),
            (width: 100, hasColor: false, isLight: false), (width: nil, hasColor: false, isLight: false),
        ] as [(width: Int?, hasColor: Bool, isLight: Bool)])
    func qrCode(width: Int?, hasColor: Bool, isLight: Bool) async throws {
        for app in ["", " --app health-auto-export"] {
            var harness = CommandHarness()
            harness.terminalWidth = width
            harness.variables["LANG"] = "en_US.UTF-8"
            if !hasColor { harness.variables["NO_COLOR"] = "1" }
            let outcome = await harness.run("pair phone\(app)")
            let folder = try TemporaryFolder()
            try folder.write(outcome.output, as: "text")
            let script = Peer.path(of: "display/read_qr.py")
            let command = Command([
                "sh", "-c", "python3 -B \"$0\" $2 <\"$1\"", script, folder.path(of: "text"), isLight ? "--light" : "",
            ])
            // Not on a cooperative thread.
            let read = try await BlockingThread.run { try command.output() }
            let expected =
                app.isEmpty
                ? "http://192.168.1.5:8000/device/\(Self.token)/" : "com.HealthExport://automation?url=http%3A%2F%2F"
            #expect(String(decoding: read, as: UTF8.self).hasPrefix(expected))
        }
    }

    @Test("A terminal that cannot show the QR code gets a note")
    func noRoom() async {
        for (width, locale) in [(40, "C.UTF-8"), (200, "C")] {
            var harness = CommandHarness()
            harness.terminalWidth = width
            harness.variables["LANG"] = locale
            let outcome = await harness.run("pair phone")
            #expect(outcome.output.contains("The QR code needs a UTF-8 terminal of "))
            #expect(!outcome.output.contains("█"))
        }
    }

    @Test("A phone that asks is listed, and confirmed by its code; the list then shows its name and address")
    func confirmation() async throws {
        let harness = CommandHarness()
        #expect(await harness.run("device confirm 000000").status == .noInput)
        let paired = await harness.run("pair phone --app hozz")
        #expect(paired.output.contains("`healthsync device confirm CODE`"))
        #expect(!(await harness.run("device list").output).contains("ask"))
        let phones = PairedDevices(
            store: try devices(of: harness), offers: harness.factory.inbox.offers(try harness.settings("device list")),
            hasher: LibcryptoHasher(), random: SystemRandom(), time: harness.time)
        guard case .unconfirmed(let claim, _, _) = try await phones.ask(as: "Anna\u{1B}’s iPhone", from: "192.168.1.20")
        else { throw ContractViolation("a token without confirmation") }
        let listed = await harness.run("device list")
        for text in [claim.code, "Anna ’s iPhone", "192.168.1.20", "`healthsync device confirm CODE`"] {
            #expect(listed.output.contains(text), "\(text)")
        }
        let json = await harness.run("device list --json")
        #expect(json.output.contains("\"code\": \"\(claim.code)\"") && json.output.contains("\"confirmed\": false"))
        let wrong = await harness.run("device confirm \(claim.code)0")
        #expect(wrong.status == .noInput && wrong.errors.first?.contains("no phone asks") == true)
        let confirmed = await harness.run("device confirm \(claim.code)")
        #expect(confirmed.output == "\"Anna ’s iPhone\" at 192.168.1.20 may pair as phone; pair in the app again\n")
        guard case .paired = try await phones.ask(as: "Anna\u{1B}’s iPhone", from: "192.168.1.20") else {
            throw ContractViolation("no token")
        }
        let after = await harness.run("device list --json")
        #expect(after.output.contains("\"address\": \"192.168.1.20\"") && after.output.contains("\"asking\": []"))
        #expect(await harness.run("device list").output.contains("Anna ’s iPhone"))
    }

    @Test("A device is paired once, until it is revoked")
    func revocation() async throws {
        let harness = CommandHarness()
        #expect(await harness.run("pair phone").status == .done)
        let again = await harness.run("pair phone")
        #expect(again.status == .usage)
        #expect(again.errors.first?.contains("`healthsync device revoke phone`") == true)
        #expect(await harness.run("device revoke other").status == .noInput)
        #expect(await harness.run("device revoke phone").output == "revoked phone\n")
        #expect(await harness.run("device revoke phone").status == .noInput)
        #expect(await harness.run("device list").output.contains("revoked"))
        let token = try #require(try await devices(of: harness).tokens().first)
        #expect(token.revokedAt == harness.time.now())
    }

    @Test(
        "Invalid names, apps and addresses are rejected before a token is created",
        arguments: [
            "pair", "pair a b", "pair Anna", "pair phone --app fitbit", "pair phone --address nas:8000",
            "pair phone --address ftp://nas", "pair phone --address http://", "pair phone --address http:///x",
            "pair phone --address http://nas/?a=b", "device revoke", "device revoke ../x", "device confirm",
            "device confirm 1 2",
        ])
    func rejections(line: String) async throws {
        let harness = CommandHarness()
        #expect(await harness.run(line).status == .usage)
        #expect(try await devices(of: harness).tokens().isEmpty)
    }

    private func devices(of harness: CommandHarness) throws -> any AccessTokenStore {
        harness.factory.inbox.devices(try harness.settings("device list"))
    }
}
