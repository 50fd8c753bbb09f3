import HealthSyncDomain
import Testing

@Suite("How long ago the data end")
struct DataFreshnessTests {
    @Test(
        "The age is in days, weeks, months or years, rounded",
        arguments: [
            ("2026-11-23", "today"), ("2026-11-22", "yesterday"), ("2026-11-21", "2 days ago"),
            ("2026-11-10", "13 days ago"), ("2026-11-09", "2 weeks ago"), ("2026-09-24", "9 weeks ago"),
            ("2026-09-23", "2 months ago"), ("2025-12-31", "11 months ago"), ("2024-11-23", "24 months ago"),
            ("2024-11-22", "24 months ago"), ("2023-11-23", "3 years ago"), ("2016-11-23", "10 years ago"),
        ])
    func age(last: String, words: String) throws {
        let today = try #require(CalendarDay("2026-11-23"))
        let last = try #require(CalendarDay(last))
        let freshness = try #require(DataFreshness(last: last, today: today))
        #expect(freshness.age == words)
    }

    @Test("Old data are stated with the remedy, those of today and yesterday without")
    func remedy() throws {
        let last = try #require(CalendarDay("2025-12-31"))
        let today = try #require(CalendarDay("2026-11-23"))
        let old = try #require(DataFreshness(last: last, today: today))
        #expect(
            old.text == "Your data end on 31 Dec 2025, 11 months ago. Export again, or connect the phone")
        let fresh = try #require(DataFreshness(last: last, today: last.advanced(by: 1)))
        #expect(!fresh.isOld && fresh.text == "Your data end on 31 Dec 2025, yesterday")
        #expect(DataFreshness(last: last, today: last.advanced(by: -1)) == nil)
    }
}
