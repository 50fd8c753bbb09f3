import Foundation
import HealthSyncDashboard
import HealthSyncDomain
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
        #expect(life.offers.all == (app.asksForToken ? [stored.user] : []))
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
        #expect(page.contains("value=\"http://192.168.1.5:8000\""))
    }
}
