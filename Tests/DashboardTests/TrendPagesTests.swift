import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Pages that compare and show years")
struct TrendPagesTests {
    private let today = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private func verdict(_ html: String) async throws -> PageCheck.Verdict {
        try #require(try await PageCheck.verdicts(["page": html])["page"])
    }

    /// Stores `steps` of a day.
    private func walk(_ life: Life, _ day: CalendarDay, steps: Double) async throws {
        var commit = SyncCommit(metric: .steps)
        let progress = DailyProgress(
            metric: .steps, day: day, start: life.clock.start(of: day), unit: "count",
            figures: ProgressFigures(quantity: steps))
        commit.progress = [RevisedRecord(progress, sourceID: "steps/\(day)", revision: 1)]
        try await life.stores.tracking.commit(commit)
    }

    @Test("The card of steps compares thirty complete days with those before and a year ago")
    func card() async throws {
        let life = try Life(today: today)
        // The steps of today are incomplete and do not count.
        for age in 0..<61 {
            try await walk(life, today.advanced(by: -age), steps: age == 0 ? 7 : age <= 30 ? 8_000 : 9_250)
        }
        for age in 360..<420 { try await walk(life, today.advanced(by: -age), steps: 7_500) }
        let page = try await verdict(try await life.page("/"))
        #expect(page.problems == [])
        #expect(page.text.contains("30 days: 8,000 a day"))
        #expect(page.text.contains("▼ 1,250 less than the 30 days before (9,250)"))
        #expect(page.text.contains("▲ 500 more than a year ago (7,500)"))
    }

    @Test("Columns of the current day, and of periods that are not over, are hatched on every page with columns")
    func hatched() async throws {
        let life = try Life(today: today)
        for age in 0..<75 { try await life.walk(today.advanced(by: -age)) }
        let columns: [(address: String, style: String)] =
            [("/", "partial"), ("/view/year", "partial")]
            + ["day", "week", "month", "year"].flatMap { view in
                [("/view/steps?by=\(view)", "partial"), ("/view/heart?by=\(view)", "partial range")]
            }
        for (address, style) in columns {
            let html = try await life.page(address)
            // The drawings for wide and narrow screens.
            #expect(html.split(separator: "class=\"\(style)\"").count == 3, "\(address)")
            #expect(html.contains("Hatched columns are incomplete periods."), "\(address)")
        }
        let complete = try await life.page("/?day=2024-03-14")
        #expect(!complete.contains("Hatched"))
    }

    @Test("Every page states where the data end, and a notice asks for new data if they are old")
    func freshness() async throws {
        for (age, isOld) in [(0, false), (1, false), (2, true), (75, true)] {
            let life = try Life(today: today)
            let last = today.advanced(by: -age)
            try await life.walk(last)
            let statement = try #require(DataFreshness(last: last, today: today)).statement
            for (name, page) in try await PageCheck.verdicts(life.allPages()) {
                #expect(page.problems == [] && page.text.contains(statement), "\(name)")
                #expect(page.text.contains(DataFreshness.remedy) == isOld, "\(name)")
            }
        }
    }

    @Test("The journal opens on the last recorded day, and pages of earlier days link to the latest")
    func latest() async throws {
        let life = try Life(today: today)
        let last = today.advanced(by: -75)
        for day in DayRange(last).widened(before: 300, after: 0) { try await life.walk(day) }
        try await life.sleep(last)
        #expect(try await life.page("/view/journal").contains("<h2><time datetime=\"\(last)\">"))
        for page in ["/view/journal?", "/view/steps?by=hour&", "/view/heart?by=day&", "/view/sleep?last=1d&"] {
            let before = try await life.page(page + "day=2023-11-01")
            #expect(before.contains("day=\(last)\">Latest</a>"), "\(page)")
            #expect(try await !life.page(page + "day=\(last)").contains(">Latest</a>"), "\(page)")
        }
    }

    @Test("The map of years draws each recorded day once and lists the means of months")
    func years() async throws {
        let life = try Life(today: today)
        for age in 0..<400 where age != 20 {
            try await walk(life, today.advanced(by: -age), steps: Double(1_000 + age * 10))
        }
        let html = try await life.page("/view/years?of=steps")
        let page = try await verdict(html)
        #expect(page.problems == [])
        #expect(html.split(separator: "h.9").count - 1 == 399)
        #expect(html.split(separator: "h.2").count - 1 == 1)
        // The fourteen days of March 2024 before today, with ages from 1 to 14.
        #expect(page.data.contains("1075"))
        #expect(page.text.contains("not recorded"))
    }

    @Test("All nights are drawn, and nights only in bed differ from sleep")
    func nights() async throws {
        let life = try Life(today: today)
        for age in 0..<40 { try await life.sleep(today.advanced(by: -age)) }
        var commit = SyncCommit(metric: .sleep)
        let day = today.advanced(by: -50)
        let start = life.clock.start(of: day)
        var durations = SleepDurations()
        durations.inBed = 8 * 3_600_000
        let session = SleepSession(
            day: day, interval: InstantRange(start: start, end: start.advanced(bySeconds: 8 * 3600)),
            origin: SampleOrigin(sourceName: "iPhone", device: ""), offsetSeconds: 3600,
            stages: [], durations: durations)
        commit.sleep = [RevisedRecord(session, sourceID: "bed", revision: 1)]
        try await life.stores.tracking.commit(commit)
        let html = try await life.page("/view/sleep?last=all")
        let page = try await verdict(html)
        #expect(page.problems == [])
        // 23:00 to 07:00 is 300 to 780 minutes after 18:00.
        #expect(html.split(separator: " 300v480").count - 1 == 40)
        #expect(html.contains("class=\"only-in-bed\" d=\"M24 360v480\""))
        #expect(page.text.contains("only in bed") && page.text.contains("40 nights"))
        #expect(page.text.contains("Of 1 night only the time in bed is known; it is not counted."))
        #expect(try await life.page("/view/sleep?last=30d").contains("Middle on workdays"))
    }
}
