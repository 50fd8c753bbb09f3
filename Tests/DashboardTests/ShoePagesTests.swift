import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Journal and shoes")
struct ShoePagesTests {
    private static let day = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private func add(_ life: Life, _ brand: String, _ more: [(String, String)] = []) async throws -> String {
        let answer = await life.post("/view/shoes/add", [("brand", brand), ("model", "One")] + more)
        guard case .redirect(let address) = answer.content, let id = address.split(separator: "=").last else {
            throw ContractViolation("\(answer)")
        }
        return String(id)
    }

    @Test("Assigned hours divide the figures of the day; clearing them restores the figures")
    func assign() async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let shoe = try await add(life, "Salomon", [("emoji", "👟"), ("price", "100 EUR")])
        let choice = [("day", "2024-03-15"), ("hour", "2"), ("hour", "3"), ("hour", "9"), ("shoe", shoe)]
        let before = try await life.page("/view/journal")
        #expect(await life.post("/view/journal/assign", choice) == .seeOther("/view/journal?day=2024-03-15&done=1"))
        let verdicts = try await PageCheck.verdicts([
            "journal": try await life.page("/view/journal"), "shoes": try await life.page("/view/shoes"),
            "shoe": try await life.page("/view/shoe?id=\(shoe)"),
        ])
        for (name, verdict) in verdicts { #expect(verdict.problems == [], "\(name)") }
        // Life has 102, 103 and 109 steps in these hours; the shoe was worn for three hours.
        #expect(verdicts["journal"]?.data.suffix(4) == ["314", "180", "2362", "2676"])
        #expect(verdicts["shoes"]?.data == ["314", "180"])
        #expect(verdicts["shoe"]?.data.prefix(3) == ["314", "180", "2"])
        #expect(await life.post("/view/journal/clear", choice).status == 303)
        #expect(try await life.page("/view/journal") == before)
    }

    @Test("The journal reports what was assigned, and the last change can be undone once")
    func undo() async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let pages = life.pages
        func post(_ address: String, _ form: [(String, String)]) async -> WebResponse {
            var request = Life.request(address)
            request.method = .post
            request.form = form.map { WebField($0.0, $0.1) }
            return await pages.answer(request)
        }
        func text(_ address: String) async throws -> String {
            guard case .text(let html, _) = await pages.answer(Life.request(address)).content else {
                throw ContractViolation("no page")
            }
            let verdict = try #require(try await PageCheck.verdicts(["page": html])["page"])
            #expect(verdict.problems == [])
            return verdict.text
        }
        let shoe = try await add(life, "<b>")
        let day = [("day", "2024-03-15")]
        _ = await post("/view/journal/assign", day + [("hour", "4"), ("hour", "5"), ("shoe", shoe)])
        let before = try await life.stores.shoes.sessions()
        let cleared = await post("/view/journal/clear", day + [("hour", "5")])
        #expect(cleared == .seeOther("/view/journal?day=2024-03-15&done=2"))
        #expect(try await text("/view/journal?day=2024-03-15&done=2").contains("1 hour cleared.Undo"))
        for other in ["1", "3", "x"] {
            #expect(try await !text("/view/journal?day=2024-03-15&done=\(other)").contains("Undo"))
            #expect(await post("/view/journal/undo", day + [("number", other)]).status == 400)
        }
        let undone = await post("/view/journal/undo", day + [("number", "2")])
        #expect(undone == .seeOther("/view/journal?day=2024-03-15&done=undone"))
        #expect(try await text("/view/journal?day=2024-03-15&done=undone").contains("The hours are as before."))
        #expect(try await life.stores.shoes.sessions() == before)
        #expect(await post("/view/journal/undo", day + [("number", "2")]).status == 400)
        #expect(await post("/view/journal/assign", day + [("hour", "6"), ("shoe", shoe)]).status == 303)
        #expect(try await text("/view/journal?done=3").contains("1 hour assigned to <b> One.Undo"))
    }

    @Test("The colors of shoes are a style sheet, and cannot contain anything else")
    func colors() async throws {
        let life = try Life(today: Self.day)
        for (brand, color) in [("A", "#aa33ff"), ("B", ""), ("C", "blue")] {
            _ = try await add(life, brand, [("color", color)])
        }
        guard case .text(let css, let type) = await life.pages.answer(Life.request("/view/shoes/colors.css")).content
        else { throw ContractViolation("no style sheet") }
        #expect(type == "text/css; charset=utf-8")
        let lines = css.split(separator: "\n")
        #expect(lines.count == 2)
        for color in ["#aa33ff", "blue"] {
            #expect(
                lines.contains {
                    $0.hasPrefix("@supports (color: \(color)) { .own-") && $0.hasSuffix(" { --stage: \(color); } }")
                }, "\(css)")
        }
        #expect(life.pages.route(at: ["view", "shoes", "colors.css"])?.isAsset == false)
        let html = try await life.page("/view/shoes")
        #expect(html.split(separator: " own own-").count == 3)
    }

    @Test("Taking hours from another shoe requires confirmation, which shows what that shoe loses")
    func conflict() async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let (old, new) = (try await add(life, "Old"), try await add(life, "New"))
        let day = [("day", "2024-03-15")]
        _ = await life.post("/view/journal/assign", day + [("hour", "4"), ("hour", "5"), ("shoe", old)])
        let choice = day + [("hour", "5"), ("hour", "6"), ("shoe", new)]
        let asked = await life.post("/view/journal/assign", choice)
        guard case .text(let html, _) = asked.content else { throw ContractViolation("no page") }
        let verdict = try #require(try await PageCheck.verdicts(["page": html])["page"])
        #expect(verdict.problems == [] && verdict.text.contains("05:0006:00Old OneNew One"))
        #expect(try await life.stores.shoes.sessions().all.count == 1)
        // Only the value in the shown form confirms: neither "yes" nor the value repeated.
        let confirmed = try Self.confirmed(html)
        for other in ["yes", "", "\(confirmed),\(confirmed)"] {
            #expect(await life.post("/view/journal/assign", choice + [("confirmed", other)]).status == 200)
        }
        #expect(try await life.stores.shoes.sessions().all.count == 1)
        #expect(await life.post("/view/journal/assign", choice + [("confirmed", confirmed)]).status == 303)
        let sessions = try await life.stores.shoes.sessions().all
        #expect(sessions.map { $0.interval(until: life.now).milliseconds } == [3_600_000, 2 * 3_600_000])
    }

    private static func confirmed(_ html: String) throws -> String {
        let parts = html.split(separator: "name=\"confirmed\" value=\"", maxSplits: 1)
        return String(try #require(parts.last).prefix { $0 != "\"" })
    }

    @Test("An hour that changed after it was shown must be confirmed again, and is not lost")
    func changedConflict() async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let shoes = [try await add(life, "Old"), try await add(life, "New"), try await add(life, "Third")]
        let day = [("day", "2024-03-15")]
        _ = await life.post("/view/journal/assign", day + [("hour", "5"), ("shoe", shoes[0])])
        let choice = day + [("hour", "5"), ("hour", "6"), ("shoe", shoes[1])]
        guard case .text(let first, _) = await life.post("/view/journal/assign", choice).content else {
            throw ContractViolation("no page")
        }
        // Meanwhile, another page assigns other shoes to the second hour.
        _ = await life.post("/view/journal/assign", day + [("hour", "6"), ("shoe", shoes[2])])
        let before = try await life.stores.shoes.sessions()
        let again = await life.post("/view/journal/assign", choice + [("confirmed", try Self.confirmed(first))])
        guard case .text(let second, _) = again.content else { throw ContractViolation("no page") }
        let verdict = try #require(try await PageCheck.verdicts(["page": second])["page"])
        #expect(verdict.problems == [] && verdict.text.contains("changed since this page was loaded"))
        #expect(
            verdict.text.contains("05:0006:00Old OneNew One") && verdict.text.contains("06:0007:00Third OneNew One"))
        #expect(try await life.stores.shoes.sessions() == before)
        let last = await life.post("/view/journal/assign", choice + [("confirmed", try Self.confirmed(second))])
        #expect(last.status == 303)
        let worn = Set(try await life.stores.shoes.sessions().all.map { UUIDText.text($0.shoe) })
        #expect(worn == [shoes[1].lowercased()])
    }

    @Test("On a day of 25 hours each hour can be selected")
    func longDay() async throws {
        let day = try #require(CalendarDay("2024-10-27"))
        let life = try Life(today: day.advanced(by: 1))
        try await life.walk(day)
        let shoe = try await add(life, "Salomon")
        let html = try await life.page("/view/journal?day=2024-10-27")
        #expect(html.contains("value=\"2a\"") && html.contains("value=\"2b\""))
        _ = await life.post("/view/journal/assign", [("day", "2024-10-27"), ("hour", "2b"), ("shoe", shoe)])
        let journal = try await PageCheck.verdicts(["page": try await life.page("/view/journal?day=2024-10-27")])[
            "page"]
        #expect(journal?.data.suffix(4) == ["103", "60", "2697", "2800"])
    }

    @Test("On a day of 23 hours the skipped hour cannot be selected")
    func shortDay() async throws {
        let day = try #require(CalendarDay("2024-03-31"))
        let life = try Life(today: day.advanced(by: 1))
        try await life.walk(day)
        let shoe = try await add(life, "Salomon")
        let html = try await life.page("/view/journal?day=2024-03-31")
        #expect(html.contains("value=\"1\"") && !html.contains("value=\"2\"") && html.contains("value=\"3\""))
        let form = [("day", "2024-03-31"), ("shoe", shoe)]
        #expect(await life.post("/view/journal/assign", form + [("hour", "2")]).status == 400)
        _ = await life.post("/view/journal/assign", form + [("hour", "3")])
        let journal = try await PageCheck.verdicts(["page": try await life.page("/view/journal?day=2024-03-31")])[
            "page"]
        #expect(journal?.problems == [])
        #expect(journal?.data.suffix(4) == ["102", "60", "2451", "2553"])
    }

    @Test(
        "An invalid form is rejected and changes nothing",
        arguments: [
            ("/view/journal/assign", [("day", "2024-03-15"), ("hour", "8")], 400),
            ("/view/journal/assign", [("day", "soon"), ("hour", "8")], 400),
            ("/view/journal/clear", [("day", "2024-03-15")], 400),
            ("/view/journal/clear", [("day", "2024-03-15"), ("hour", "25")], 400),
            ("/view/shoes/add", [("brand", " "), ("model", "x")], 400),
            ("/view/shoes/add", [("brand", "x"), ("model", "x"), ("price", "much")], 400),
            ("/view/shoes/add", [("brand", "x"), ("model", "x"), ("emoji", "<b>")], 400),
            ("/view/shoes/start", [("shoe", "6f3b0a52-0000-4000-8000-000000000000")], 404),
            ("/view/shoes/nothing", [], 404), ("/view/shoes", [], 405), ("/view/sync/retry", [], 400),
        ] as [(String, [(String, String)], Int)])
    func refused(address: String, form: [(String, String)], status: Int) async throws {
        let life = try Life(today: Self.day)
        let answer = await life.post(address, form)
        #expect(answer.status == status)
        guard case .text(let html, _) = answer.content else { throw ContractViolation("no page") }
        #expect(try await PageCheck.verdicts(["page": html])["page"]?.problems == [])
        #expect(try await life.stores.shoes.shoes() == [])
        #expect(try await life.stores.shoes.sessions().all == [])
    }

    @Test(
        "Names are shown as text, never as markup",
        arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", String(repeating: "👩🏽‍🦼", count: 200)])
    func names(name: String) async throws {
        let life = try Life(today: Self.day)
        try await life.walk(Self.day)
        let shoe = try await add(life, name, [("color", "#ff00aa")])
        _ = await life.post("/view/journal/assign", [("day", "2024-03-15"), ("hour", "8"), ("shoe", shoe)])
        _ = await life.post("/view/shoes/start", [("shoe", shoe)])
        let verdicts = try await PageCheck.verdicts([
            "journal": try await life.page("/view/journal"), "shoes": try await life.page("/view/shoes"),
            "shoe": try await life.page("/view/shoe?id=\(shoe)"),
        ])
        for (page, verdict) in verdicts { #expect(verdict.problems == [], "\(page)") }
        #expect(verdicts["shoe"]?.text.contains(name) == true)
    }

    @Test("Rejected records are shown with their reason and sent again on request")
    func retry() async throws {
        let life = try Life(today: Self.day)
        let first = try await life.refuse("sleep/<1>", reason: "end_time is <before> start_time")
        _ = try await life.refuse("sleep/2", reason: "no")
        let page = try #require(try await PageCheck.verdicts(["page": try await life.page("/view/sync")])["page"])
        #expect(page.problems == [] && page.data.prefix(4) == ["0", "0", "0", "2"])
        #expect(page.text.contains("sleep/<1>sleep422end_time is <before> start_time"))
        #expect(await life.post("/view/sync/retry", [("id", "\(first)")]) == .seeOther("/view/sync"))
        let counts = try await life.stores.outbox.counts(destination: Life.destination)
        #expect(counts[.pending] == 1 && counts[.dead] == 1)
        _ = await life.post("/view/sync/retry", [("all", "yes")])
        #expect(try await life.stores.outbox.counts(destination: Life.destination)[.pending] == 2)
    }
}
