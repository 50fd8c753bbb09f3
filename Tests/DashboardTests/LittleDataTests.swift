import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite("Pages with very little data")
struct LittleDataTests {
    private static let day = CalendarDay(ordinal: 19_797)  // 2024-03-15

    private func life(steps: Double? = nil, rate: Double? = nil) async throws -> Life {
        let life = try Life(today: Self.day)
        var commit = SyncCommit(metric: .steps)
        let figures: [(HealthMetric, Double?)] = [(.steps, steps), (.heartRate, rate)]
        for (metric, quantity) in figures {
            guard let quantity else { continue }
            let hour = HourProgress(
                start: life.clock.start(of: Self.day).advanced(bySeconds: 8 * 3600),
                figures: ProgressFigures(quantity: quantity, minimum: quantity, maximum: quantity, count: 1))
            let progress = DailyProgress(
                metric: metric, day: Self.day, start: life.clock.start(of: Self.day), unit: "count",
                figures: hour.figures, hours: [hour])
            commit.progress.append(RevisedRecord(progress, sourceID: "\(metric)", revision: 1))
        }
        var snapshot = ActivitySnapshot(day: Self.day)
        snapshot.steps = steps
        if steps != nil { commit.snapshots = [RevisedRecord(snapshot, sourceID: "snapshot", revision: 1)] }
        try await life.stores.tracking.commit(commit)
        return life
    }

    /// Returns the numbers in the charts for wide screens, in order.
    private func axis(_ html: String) -> [String] {
        let wide = html.split(separator: "<svg ").filter { !$0.hasPrefix("class=\"chart narrow\"") }
        return wide.flatMap { $0.split(separator: "</text>") }.compactMap { part in
            part.split(separator: ">").last.map(String.init).flatMap { Double($0) == nil ? nil : $0 }
        }
    }

    @Test("No two labels of an axis are equal", arguments: ["/", "/view/steps?by=day", "/view/heart?by=day"])
    func marks(address: String) async throws {
        for quantity in [1.0, 2, 3, 7, 61] {
            let life = try await life(steps: quantity, rate: quantity)
            let marks = axis(try await life.page(address))
            #expect(!marks.isEmpty && Set(marks).count == marks.count, "\(quantity): \(marks)")
        }
        let empty = try await life(rate: 61)
        let marks = axis(try await empty.page("/"))
        #expect(Set(marks).count == marks.count, "\(marks)")
    }

    @Test("Without figures of hours there is no empty chart")
    func noHours() async throws {
        let life = try Life(today: Self.day)
        var commit = SyncCommit(metric: .restingHeartRate)
        let progress = DailyProgress(
            metric: .restingHeartRate, day: Self.day, start: life.clock.start(of: Self.day), unit: "count/min",
            figures: ProgressFigures(quantity: 61, minimum: 61, maximum: 61, count: 1))
        commit.progress = [RevisedRecord(progress, sourceID: "resting", revision: 1)]
        try await life.stores.tracking.commit(commit)
        let hours = try await life.page("/view/metric?name=restingHeartRate&by=hour")
        #expect(hours.contains("There are no figures by hour.") && !hours.contains("<svg"))
        let days = try await life.page("/view/metric?name=restingHeartRate&by=day")
        #expect(days.contains("<svg") && days.contains("Hatched columns"))
    }

    @Test("A day with heart rate alone is not shown as empty")
    func heartRateAlone() async throws {
        let html = try await life(rate: 61).page("/")
        #expect(html.contains("No steps, distance, energy, exercise, resting heart rate or sleep on this day."))
        #expect(!html.contains("Nothing recorded on this day"))
    }

    @Test("A night with only time in bed shows no figures of sleep")
    func inBed() async throws {
        let life = try Life(today: Self.day)
        let start = life.clock.start(of: Self.day)
        var durations = SleepDurations()
        durations.inBed = 8 * 3_600_000
        let session = SleepSession(
            day: Self.day,
            interval: InstantRange(start: start, end: start.advanced(bySeconds: 8 * 3600)),
            origin: SampleOrigin(sourceName: "iPhone", device: ""), offsetSeconds: 3600,
            stages: [], durations: durations)
        var commit = SyncCommit(metric: .sleep)
        commit.sleep = [RevisedRecord(session, sourceID: "sleep", revision: 1)]
        try await life.stores.tracking.commit(commit)
        let verdicts = try await PageCheck.verdicts([
            "night": try await life.page("/view/sleep?last=1d"), "range": try await life.page("/view/sleep?last=7d"),
            "summary": try await life.page("/"), "years": try await life.page("/view/years?of=sleep"),
            "months": try await life.page("/view/sleep?last=3mo"), "year": try await life.page("/view/year"),
        ])
        for name in ["years", "months", "year", "range"] {
            #expect(verdicts[name]?.text.contains("Only the time in bed is known.") == true, "\(name)")
        }
        for (name, verdict) in verdicts {
            #expect(verdict.problems == [], "\(name)")
            #expect(!verdict.data.contains("0"), "\(name): \(verdict.data)")
            #expect(!verdict.text.contains("0 %"), "\(name)")
        }
        #expect(verdicts["summary"]?.text.contains("8 h 0 min in bed") == true)
    }
}
