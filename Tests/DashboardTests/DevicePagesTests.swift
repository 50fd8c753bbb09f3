import Foundation
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("The page of devices")
struct DevicePagesTests {
    private let life: Life

    init() throws { life = try Life(today: try #require(CalendarDay("2024-03-15"))) }

    private func pair(_ name: String, app: String = "hozz", address: String = "http://nas:8000") async -> WebResponse {
        await life.post("/view/devices/pair", [("name", name), ("app", app), ("address", address)])
    }

    private func text(_ response: WebResponse) throws -> String {
        guard case .text(let html, _) = response.content else { throw ContractViolation("no page") }
        return html
    }

    @Test("A paired device and its token are shown once, with the fields of the app", arguments: PhoneApp.allCases)
    func pairs(app: PhoneApp) async throws {
        let answer = await pair("anna-phone", app: app.rawValue)
        #expect(answer.status == 200)
        let html = try text(answer)
        let token = try #require(html.firstMatch(of: /<code id="token">(hst_[0-9a-f_]+)</)?.output.1)
        let secret = try #require(html.firstMatch(of: /_([0-9a-f]{64})</)?.output.1)
        let stored = try #require(try await life.tokens.tokens().first)
        #expect(stored.user.text == "anna-phone")
        #expect(stored.scopes == [.ingest])
        let device = PhoneApp.Device(
            name: stored.user, id: stored.id, token: String(token), signingSecret: HexDigits.text(stored.secretDigest),
            inbox: try #require(InboxAddress("http://nas:8000")))
        for field in app.fields(device) {
            #expect(html.contains("<dt>\(field.name)</dt>"), "\(field.name)")
            #expect(html.contains(">\(field.value)</code>"), "\(field.name)")
        }
        #expect(html.components(separatedBy: "<svg").count - 1 == max(1, app.links(device).count))
        #expect(try life.offers.current()?.device == (app.asksForToken ? stored.user : nil))
        let list = try await life.page("/view/devices")
        #expect(list.contains("anna-phone"))
        #expect(!list.contains(secret))
    }

    @Test("A rejected form keeps its input, names the field and creates no token")
    func rejects() async throws {
        for (name, app, address, problem) in [
            ("Anna", "hozz", "http://nas", "name-problem"), ("", "hozz", "http://nas", "name-problem"),
            ("a", "hozz", "nas:8000", "address-problem"), ("a", "hozz", "javascript:alert(1)", "address-problem"),
            ("a", "fitbit", "http://nas", "id=\"problem\""), ("<b>", "hozz", "http://nas", "name-problem"),
        ] {
            let answer = await pair(name, app: app, address: address)
            #expect(answer.status == 400)
            let html = try text(answer)
            #expect(html.contains(problem), "\(name) \(app) \(address)")
            #expect(!html.contains("<b>"))
        }
        #expect(try await life.tokens.tokens().isEmpty)
        #expect(await pair("anna").status == 200)
        let again = await pair("anna")
        #expect(again.status == 400)
        #expect(try text(again).contains("a device called anna is paired"))
        #expect(try await life.tokens.tokens().count == 1)
    }

    @Test("A device is revoked after a second confirmation, with all its tokens")
    func revokes() async throws {
        _ = await pair("anna")
        let now = life.now
        var second = try #require(try await life.tokens.tokens().first)
        second.id = "0011223344556677"
        try await life.tokens.add(second)
        let question = await life.post("/view/devices/revoke", [("device", "anna")])
        #expect(question.status == 200)
        #expect(try text(question).contains("Revoke anna?"))
        #expect(try await life.tokens.tokens().allSatisfy { $0.isValid(at: now) })
        let answer = await life.post("/view/devices/revoke", [("device", "anna"), ("confirmed", "yes")])
        #expect(answer.status == 303)
        #expect(try await life.tokens.tokens().allSatisfy { !$0.isValid(at: now) })
        for name in ["anna", "nobody", ""] {
            let again = await life.post("/view/devices/revoke", [("device", name), ("confirmed", "yes")])
            #expect(again.status == 400, "\(name)")
        }
        let page = try await life.page("/view/devices")
        #expect(page.contains(">revoked<"))
        #expect(!page.contains("Revoke anna"))
    }

    @Test(
        "The page reports whether phones can deliver",
        arguments: [InboxReception.State.receiving, .receivingLocally, .none])
    func reception(state: InboxReception.State) async throws {
        var life = life
        life.reception.state = state
        let page = try await life.page("/view/devices")
        #expect(page.contains("id=\"reception\"") == (state != .receiving))
        // A phone cannot reach an address of this machine alone.
        #expect(page.contains("value=\"http://192.168.1.5:8000\"") == (state != .receivingLocally))
    }

    @Test(
        "A phone that asks to be paired is listed with its name and address, and may pair once its code was confirmed")
    func asks() async throws {
        _ = await pair("phone")
        #expect(!(try await life.page("/view/devices")).contains("id=\"asking\""))
        guard
            case .unconfirmed(let claim, _, _) = try await life.devices.ask(
                as: "<b>Anna’s iPhone", from: "192.168.1.20")
        else { throw ContractViolation("a token without confirmation") }
        let page = try await life.page("/view/devices")
        #expect(page.contains("<code>\(claim.code)</code>") && page.contains("192.168.1.20"))
        #expect(page.contains("&lt;b&gt;Anna’s iPhone") && !page.contains("<b>Anna"))
        for code in ["", "x", "000000 "] {
            #expect(await life.post("/view/devices/confirm", [("code", code)]).status == 400)
        }
        #expect(try await life.tokens.tokens().count == 1)
        #expect(await life.post("/view/devices/confirm", [("code", claim.code)]).status == 303)
        #expect(try await life.page("/view/devices").contains("confirmed; pair in the app again"))
        #expect(try await life.tokens.tokens().count == 1)
        guard case .paired = try await life.devices.ask(as: "<b>Anna’s iPhone", from: "192.168.1.20") else {
            throw ContractViolation("no token")
        }
        let paired = try await life.page("/view/devices")
        #expect(paired.contains("&lt;b&gt;Anna’s iPhone") && paired.contains("192.168.1.20"))
        #expect(!paired.contains("id=\"asking\""))
        #expect(await life.post("/view/devices/confirm", [("code", claim.code)]).status == 400)
    }
}
