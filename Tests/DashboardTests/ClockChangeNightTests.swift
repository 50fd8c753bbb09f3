import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// Nights of eight hours from 23:00 on, in which the clocks of Paris change: they end at 8:00 in spring and at 6:00 in
/// autumn.
@Suite("Nights in which the clocks change")
struct ClockChangeNightTests {
    @Test(arguments: [
        ("2024-03-31", "2024-03-30T23:00:00+01:00", "2024-03-31T08:00:00+02:00", "23:00 to 08:00"),
        ("2024-10-27", "2024-10-26T23:00:00+02:00", "2024-10-27T06:00:00+01:00", "23:00 to 06:00"),
        ("2024-03-30", "2024-03-29T23:00:00+01:00", "2024-03-30T07:00:00+01:00", "23:00 to 07:00"),
    ])
    func wallClock(text: String, start: String, end: String, course: String) async throws {
        let day = try #require(CalendarDay(text))
        let life = try Life(today: day)
        try await life.sleep(day)
        let night = try await life.page("/view/sleep?last=1d")
        let week = try await life.page("/view/sleep?last=7d")
        for page in [night, week] {
            #expect(page.contains("<time datetime=\"\(start)\">\(course.prefix(5))</time>"))
            #expect(page.contains("<time datetime=\"\(end)\">\(course.suffix(5))</time>"))
        }
        #expect(night.contains("Stages from \(course)"))
        #expect(night.contains("Course from \(course)"))
    }

    @Test("The hours below the stages are at equal distances, however many fit", arguments: ["de", "en-US"])
    func hours(language: String) async throws {
        let day = try #require(CalendarDay("2024-03-30"))
        let life = try Life(today: day)
        try await life.sleep(day)
        let page = try await life.page("/view/sleep?last=1d", language: language)
        let charts = page.split(separator: "<svg ").filter { $0.hasPrefix("class=\"chart ") }
        #expect(charts.count == 2)
        for chart in charts {
            let ends = chart.split(separator: "text-anchor=\"middle\"").dropFirst()
            let hours = ends.compactMap { part -> Int? in
                guard let text = part.split(separator: ">").first(where: { $0.contains(":00") }),
                    let hour = Int(text.prefix { $0 != ":" })
                else { return nil }
                return hour % 12 + (text.contains("PM") ? 12 : 0)
            }
            #expect(hours.count > 2)
            let gaps = zip(hours, hours.dropFirst()).map { ($1 - $0 + 24) % 12 }
            #expect(Set(gaps).count == 1, "\(language): \(hours)")
        }
    }

    @Test("A nap across the change ends at the local time too")
    func nap() async throws {
        let day = try #require(CalendarDay("2024-10-27"))
        let life = try Life(today: day)
        try await life.sleep(day)
        let start = life.clock.start(of: day).advanced(bySeconds: 7_200)
        let interval = InstantRange(start: start, end: start.advanced(bySeconds: 7_200))
        let stage = SleepStageInterval(stage: .core, interval: interval)
        let nap = SleepSession(
            day: day, role: .nap, interval: interval, origin: SampleOrigin(sourceName: "Watch", device: ""),
            offsetSeconds: life.clock.offsetSeconds(at: start), stages: [stage],
            durations: SleepDurations(of: [stage], within: interval))
        var commit = SyncCommit(metric: .sleep)
        commit.sleep = [RevisedRecord(nap, sourceID: "nap", revision: 1)]
        try await life.stores.tracking.commit(commit)
        let page = try await life.page("/view/sleep?last=7d")
        #expect(page.contains("<time datetime=\"2024-10-27T02:00:00+02:00\">02:00</time>"))
        #expect(page.contains("<time datetime=\"2024-10-27T03:00:00+01:00\">03:00</time>"))
    }
}
