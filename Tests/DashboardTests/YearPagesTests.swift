import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Records, averages and the page of a year")
struct YearPagesTests {
    private let today = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private func verdict(_ html: String) async throws -> PageCheck.Verdict {
        try #require(try await PageCheck.verdicts(["page": html])["page"])
    }

    /// Stores `quantity` of a metric on each of `days`.
    private func record(
        _ life: Life, _ metric: HealthMetric, _ unit: String, _ days: DayRange, _ quantity: (CalendarDay) -> Double?
    ) async throws {
        var commit = SyncCommit(metric: metric)
        commit.progress = days.compactMap { day in
            quantity(day).map {
                let progress = DailyProgress(
                    metric: metric, day: day, start: life.clock.start(of: day), unit: unit,
                    figures: ProgressFigures(quantity: $0))
                return RevisedRecord(progress, sourceID: "\(metric)/\(day)", revision: 1)
            }
        }
        try await life.stores.tracking.commit(commit)
    }

    /// Steps since 20 November 2022: 8,000 a day, 12,345 on one day, and 100 on every tenth day.
    private func walked() async throws -> Life {
        let life = try Life(today: today)
        let first = try #require(CalendarDay("2022-11-20"))
        try await record(life, .steps, "count", try #require(DayRange(first, through: today))) { day in
            day.description == "2023-07-04" ? 12_345 : (day.ordinal - first.ordinal) % 10 == 9 ? 100 : 8_000
        }
        return life
    }

    @Test("Columns of months are averages a day, and months before the first record and up to today are hatched")
    func averages() async throws {
        let life = try await walked()
        let html = try await life.page("/view/steps?by=month&day=2024-03-15")
        #expect(try await verdict(html).problems == [])
        // 28 of the 31 days of July 2023, of which one has 12,345 steps, have 8,000 and three have 100.
        #expect(html.contains("aria-label=\"Jul 2023: 7,376 a day, 31 days\""))
        #expect(html.contains("Average a day, by month") && html.contains("Hatched columns"))
        #expect(html.split(separator: "class=\"partial\"").count - 1 == 2)
        let days = try await life.page("/view/steps?by=day&day=2024-03-10")
        #expect(!days.contains("class=\"partial\"") && !days.contains("Hatched columns"))
        // Today is not over.
        #expect(try await life.page("/view/steps?by=day&day=2024-03-15").contains("class=\"partial\""))
    }

    @Test("A metric has its best day, its longest streaks, and the line of its months")
    func records() async throws {
        let life = try await walked()
        let page = try await verdict(try await life.page("/view/steps?by=day"))
        #expect(page.problems == [])
        #expect(page.text.contains("Highest day12,345"))
        #expect(page.text.contains("Longest streak9 days"))
        #expect(page.text.contains("each at least 8,000, the median"))
        #expect(page.text.contains("Longest without a gap481 days"))
        #expect(page.text.contains("Steps by month, average a day as a table"))
    }

    @Test("The resting rate over years falls as planted, and has a line of its own")
    func trend() async throws {
        let life = try Life(today: today)
        let first = today.advanced(by: -3_000)
        try await record(life, .restingHeartRate, "count/min", try #require(DayRange(first, through: today))) { day in
            66 - 0.5 * Double(day.ordinal - first.ordinal) / 365.2425
        }
        try await life.walk(today)
        let html = try await life.page("/view/heart?by=month")
        let page = try await verdict(html)
        #expect(page.problems == [])
        #expect(page.text.contains("Falls by 0.5 /min a year"))
        #expect(html.contains("class=\"line\"") && page.text.contains("at rest, on average"))
    }

    @Test("The page of a year has its best day, streaks, steadiest month and shoes")
    func year() async throws {
        let life = try await walked()
        let year = try #require(CalendarDay("2023-01-01"))
        for day in DayRange(year).widened(before: 0, after: 364) { try await life.sleep(day) }
        try await record(
            life, .restingHeartRate, "count/min", DayRange(year).widened(before: 0, after: 364)
        ) { $0.components.month == 6 ? 50 : 54 }
        let html = try await life.page("/view/year?year=2023")
        let page = try await verdict(html)
        #expect(page.problems == [])
        #expect(page.text.contains("Your year 2023"))
        #expect(page.text.contains("Best day12,345") && page.text.contains("Longest streak9 days"))
        #expect(page.text.contains("Average a night7 h 0 min"))
        #expect(page.text.contains("Lowest day50 /min"))
        #expect(page.text.contains("2022: "))
        #expect(page.links.contains("/view/year?year=2024") && page.links.contains("/view/year?year=2022"))
        let missing = await life.pages.answer(Life.request("/view/year?year=2021"))
        #expect(missing.status == 400)
    }

    @Test("Sleep by months and years has averages a night, and the week shows the hours of its nights")
    func sleep() async throws {
        let life = try Life(today: today)
        for age in 0..<400 { try await life.sleep(today.advanced(by: -age), hours: age % 2 == 0 ? 8 : 9) }
        let months = try await life.page("/view/sleep?last=months")
        #expect(try await verdict(months).problems == [])
        #expect(months.contains("aria-label=\"Jan 2024: 7 h 25 min a night, 31 nights\""))
        #expect(months.contains("class=\"partial\""))
        let years = try await verdict(try await life.page("/view/sleep?last=years"))
        #expect(years.problems == [] && years.text.contains("Average a night, by year"))
        #expect(years.text.contains("Longest night7 h 53 min"))
        let week = try await life.page("/view/sleep?last=7d")
        #expect(week.contains("Hours of the nights") && !months.contains("Hours of the nights"))
    }

    @Test("Marks of an axis are short from 10,000 up, in the marks of the language")
    func marks() async throws {
        let life = try Life(today: today)
        try await record(life, .steps, "count", DayRange(today).widened(before: 20, after: 0)) { _ in 42_000 }
        #expect(try await life.page("/view/steps?by=day").contains(">40k</text>"))
        let german = try await life.page("/view/steps?by=day", language: "de")
        #expect(german.contains("42.000") && !german.contains("42,000"))
    }
}
