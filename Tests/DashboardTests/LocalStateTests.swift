import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("The state of the local database on its pages")
struct LocalStateTests {
    private static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    private func text(_ html: String) async throws -> String {
        try #require(try await PageCheck.verdicts(["page": html])["page"]).text
    }

    @Test("Records dated in the future do not count as the latest")
    func future() async throws {
        let today = try Self.day("2024-03-15")
        let life = try Life(today: today)
        for day in [try Self.day("2024-03-13"), try Self.day("2199-12-31")] {
            try await life.walk(day)
            try await life.sleep(day)
        }
        for address in ["/", "/view/steps?by=hour", "/view/heart?by=hour", "/view/sleep?last=1d"] {
            let shown = try await text(try await life.page(address))
            #expect(shown.contains("13 Mar 2024"), "\(address)")
            #expect(!shown.contains("2199"), "\(address)")
        }
        #expect(try await text(try await life.page("/view/journal")).contains("Wed 13 Mar 2024"))
        #expect(try await text(try await life.page("/view/steps?by=hour&day=2199-12-31")).contains("31 Dec 2199"))
    }

    @Test("The Sync page reports a pause of delivery and the command that made it")
    func held() async throws {
        let life = try Life(today: try Self.day("2024-03-15"))
        #expect(try await text(try await life.page("/view/sync")).contains("your pause") == false)
        try life.hold.set()
        #expect(
            try await text(try await life.page("/view/sync")).contains(
                "held by your pause since 15 Mar 2024 14:45. Resume sends"))
    }

    @Test("Days out of date are counted in the number format of the reader")
    func outOfDate() async throws {
        let life = try Life(today: try Self.day("2024-03-15"))
        let extent = try #require(DayRange(Self.day("2014-01-01"), through: Self.day("2024-03-14")))
        let repository = life.stores.repository
        let notice = PageNotices.OutOfDate(count: 3_653, extent: extent, command: "healthsync historical")
        let pages = DashboardPages.local(
            DashboardSources(
                repository: { _ in repository }, clock: life.clock, time: ManualTime(life.now), log: CollectedEvents(),
                notices: { PageNotices(outOfDate: notice) }), home: life.home)
        for (language, count) in [("en-US", "3,653"), ("de", "3.653")] {
            var request = Life.request("/")
            request.language = language
            guard case .text(let html, _) = await pages.answer(request).content else {
                throw ContractViolation("no page")
            }
            let words = "\(count) days are out of date, 1 Jan 2014 to 14 Mar 2024: run healthsync historical."
            #expect(try await text(html).contains(words))
        }
    }

    @Test("A server that is not configured is marked as such; a notice appears on every page")
    func knownServer() async throws {
        let life = try Life(today: try Self.day("2024-03-15"))
        var home = life.home
        home.server = { KnownServer(destination: Life.destination, isConfigured: false) }
        let repository = life.stores.repository
        let pages = DashboardPages.local(
            DashboardSources(
                repository: { _ in repository }, clock: life.clock, time: ManualTime(life.now), log: CollectedEvents(),
                notices: { PageNotices(top: "Days are <counted> otherwise.", zone: "another <zone> fits") }),
            home: home)
        for address in Life.addresses {
            guard case .text(let html, _) = await pages.answer(Life.request(address)).content else {
                throw ContractViolation("no page at \(address)")
            }
            let shown = try await text(html)
            #expect(shown.contains("Days are <counted> otherwise."), "\(address)")
            #expect(shown.hasSuffix("Times are in the time zone Europe/Paris.Another <zone> fits."), "\(address)")
            if address == "/view/sync" { #expect(shown.contains("\(Life.destination) (not configured")) }
        }
    }
}
