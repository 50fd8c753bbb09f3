import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Parameters of addresses")
struct AddressTests {
    private static func life() async throws -> Life {
        let day = try #require(CalendarDay("2024-03-15"))
        let life = try Life(today: day)
        try await life.walk(day)
        return life
    }

    private static func html(_ answer: WebResponse) throws -> String {
        guard case .text(let html, _) = answer.content else { throw ContractViolation("no page") }
        return html
    }

    @Test(
        "The navigation keeps the selected day where pages show one", arguments: ["/", "/view/sleep", "/view/metrics"])
    func navigationKeepsTheDay(address: String) async throws {
        let life = try await Self.life()
        func links(_ address: String) async throws -> Set<String> {
            Set(
                try #require(
                    try await PageCheck.verdicts(["page": Self.html(life.pages.answer(Life.request(address)))])["page"]
                ).links)
        }
        let ofDay = ["/", "/view/steps", "/view/heart", "/view/sleep", "/view/metrics", "/view/years"]
        let latest = try await links(address)
        #expect(latest.isSuperset(of: ofDay) && latest.contains("/view/shoes"))
        let earlier = try await links(address + "?day=2024-03-14")
        #expect(earlier.isSuperset(of: ofDay.map { $0 + "?day=2024-03-14" }), "\(earlier)")
        #expect(earlier.contains("/view/shoes"))
    }

    @Test(
        "Figures of a past day are those up to it, with a link to the latest ones", arguments: ["/", "/view/metrics"])
    func figuresUpToADay(address: String) async throws {
        let life = try await Self.life()
        try await life.walk(try #require(CalendarDay("2024-03-13")))
        let latest = try await life.page(address)
        #expect(!latest.contains("id=\"up-to\""))
        let earlier = try await life.page(address + "?day=2024-03-14")
        #expect(earlier.contains("id=\"up-to\""))
        #expect(earlier.contains("href=\"\(address)\">Show the latest"))
        let none = try await life.page(address + "?day=1999-01-01")
        #expect(none.contains("Nothing is recorded up to this day") && none.contains("Show the latest"))
        #expect(latest.contains("day=2024-03-15") && !earlier.contains("day=2024-03-15"))
        #expect(earlier.contains("day=2024-03-13"))
    }

    @Test(
        "An invalid parameter is rejected with the problem and a link back",
        arguments: [
            ("/?day=2024-02-30", "day: \"2024-02-30\" is not a valid date", "/"),
            ("/view/steps?by=hour&day=tomorrow", "day: \"tomorrow\"", "/view/steps"),
            (
                "/view/steps?by=<script>", "by: \"<script>\" is not a valid value; use one of hour, day, week",
                "/view/steps"
            ),
            ("/view/heart?by=", "by: \"\"", "/view/heart"), ("/view/heart?day=2023-02-29", "2023-02-29", "/view/heart"),
            ("/view/sleep?last=99y", "last: \"99y\" is not a valid value; use one of 1d, 7d, 30d, 3mo", "/view/sleep"),
            ("/view/sleep?last=1d&day=2024-3-15", "day: \"2024-3-15\"", "/view/sleep"),
            ("/view/journal?day=0000-01-01", "day: \"0000-01-01\"", "/view/journal"),
        ])
    func refused(address: String, reason: String, way: String) async throws {
        let answer = try await Self.life().pages.answer(Life.request(address))
        #expect(answer.status == 400)
        let verdict = try #require(try await PageCheck.verdicts(["page": Self.html(answer)])["page"])
        #expect(verdict.problems == [])
        #expect(verdict.text.contains(reason), "\(verdict.text)")
        #expect(verdict.links.filter { $0 == way }.count == (way == "/" ? 3 : 2), "\(verdict.links)")
    }

    @Test("An empty parameter is the same as none")
    func emptied() async throws {
        let life = try await Self.life()
        #expect(try await life.page("/view/steps?by=hour&day=") == life.page("/view/steps?by=hour"))
    }

    @Test("An unknown address is 404; another method is 405, with the supported methods")
    func missing() async throws {
        let pages = try await Self.life().pages
        for address in ["/view/nothing", "/view/shoe", "/view/shoe?id=6f3b0a52-0000-4000-8000-000000000000"] {
            #expect(await pages.answer(Life.request(address)).status == 404, "\(address)")
        }
        #expect(await pages.answer(Life.request("/view/shoes/add?brand=a&model=b")).status == 405)
        #expect(pages.route(at: ["view", "shoes"])?.methods == [.get])
        #expect(pages.route(at: ["view", "shoes", "add"])?.methods == [.post])
        #expect(pages.route(at: ["view", "nothing"])?.methods == [])
        #expect(pages.route(at: [])?.methods == [.get])
    }

    @Test(
        "The language with the highest weight is used",
        arguments: [
            ("de;q=0.5, fr;q=0.9", "2\u{202F}676"), ("de;q=0, en", "2,676"), ("en;q=0.1,de", "2.676"),
            ("fr;q=0.000,sv;q=0.001", "2\u{A0}676"), ("xx, de;q=0.3, en;q=0.2", "2.676"), ("de;q=2, en;q=0.1", "2,676"),
            ("de;q=0.1234, en;q=0.1", "2,676"), ("de; q=1.000 , en;q=0.999", "2.676"), ("de,en", "2.676"),
        ])
    func languages(header: String, total: String) async throws {
        #expect(try await Self.life().page("/view/steps?by=hour", language: header).contains(">\(total)<"))
    }

    @Test(
        "It also decides between the 12-hour and the 24-hour clock",
        arguments: [("en-US;q=0.8, de;q=0.9", false), ("de;q=0, en-US;q=0.1", true), ("en-US;q=0", false)])
    func clock(header: String, isBy12: Bool) async throws {
        #expect(try await Self.life().page("/view/journal", language: header).contains("8:00 AM") == isBy12)
    }
}
