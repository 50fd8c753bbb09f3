import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Invalid forms")
struct RejectedFormTests {
    private static let day = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private func html(_ answer: WebResponse, status: Int = 400) throws -> String {
        guard answer.status == status, case .text(let html, _) = answer.content else {
            throw ContractViolation("\(answer.status)")
        }
        return html
    }

    private func shoe(_ life: Life) async throws -> String {
        let answer = await life.post("/view/shoes/add", [("brand", "Salomon"), ("model", "One")])
        guard case .redirect(let address) = answer.content, let id = address.split(separator: "=").last else {
            throw ContractViolation("\(answer)")
        }
        return String(id)
    }

    @Test(
        "The form is shown again with the input, and with a message at the invalid field",
        arguments: [
            ("price", "-1 EUR", "not a valid price"), ("purchased", "2024-02-31", "not a valid date"),
            ("emoji", "xx", "emoji"),
        ])
    func shoes(field: String, value: String, message: String) async throws {
        let life = try Life(today: Self.day)
        let id = try await shoe(life)
        let form = [("brand", "Keepme <&"), ("model", "Mod"), ("color", "blue"), (field, value)]
        let places: [(String, [(String, String)])] = [("/view/shoes/add", []), ("/view/shoes/edit", [("shoe", id)])]
        for (address, more) in places {
            let html = try html(await life.post(address, form + more))
            let verdict = try #require(try await PageCheck.verdicts(["page": html])["page"])
            #expect(verdict.problems == [], "\(address)")
            #expect(verdict.text.contains(message), "\(address)")
            #expect(html.contains("value=\"Keepme &lt;&amp;\""), "\(address)")
            #expect(html.contains("name=\"\(field)\" value=\"\(value)\""), "\(address)")
            #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"\(field)-problem\""), "\(address)")
            #expect(!html.contains("Not shown") && !html.contains("Not changed"))
        }
        #expect(try await life.stores.shoes.shoes().map(\.name) == ["Salomon One"])
    }

    @Test("The journal is shown again with the selected hours and shoe")
    func journal() async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let id = try await shoe(life)
        // The day's last hours have not begun.
        let form = [("day", "2024-03-15"), ("hour", "3"), ("hour", "23"), ("shoe", id)]
        let html = try html(await life.post("/view/journal/assign", form))
        #expect(html.contains("name=\"hour\" value=\"3\" checked"))
        #expect(!html.contains("name=\"hour\" value=\"4\" checked"))
        #expect(html.contains("value=\"\(id)\" selected"))
        #expect(html.contains("have not begun"))
        let nothing = try self.html(await life.post("/view/journal/clear", [("day", "2024-03-14"), ("shoe", id)]))
        #expect(nothing.contains("no hours are selected") && nothing.contains("value=\"2024-03-14\""))
    }

    @Test("Retrying without a selection shows the Sync page")
    func retry() async throws {
        let life = try Life(today: Self.day)
        _ = try await life.refuse("a", reason: "no")
        let html = try html(await life.post("/view/sync/retry", []))
        #expect(html.contains("<h1>Sync</h1>") && html.contains("nothing is selected"))
    }

    @Test("A form that no page can show again is answered with \"Not changed\"")
    func gone() async throws {
        let life = try Life(today: Self.day)
        let html = try html(await life.post("/view/shoes/start", [("shoe", "no")]), status: 404)
        #expect(html.contains("<h1>Not changed</h1>"))
    }

    @Test("A range of hours asks for the same confirmation as its hours one by one", arguments: ["8-11", "8,9", "9"])
    func stretch(hours: String) async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let (old, new) = (try await shoe(life), try await shoe(life))
        let day = [("day", "2024-03-15")]
        _ = await life.post("/view/journal/assign", day + [("hour", "9"), ("shoe", old)])
        let asked = await life.post("/view/journal/assign", day + [("hour", hours), ("shoe", new)])
        #expect(try html(asked, status: 200).contains("Other shoes were worn in these hours"))
        #expect(try await life.stores.shoes.sessions().all.count == 1)
    }
}
