import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct ActivitySnapshotTests {
    @Test func unmeasuredFiguresAreAbsent() throws {
        let day = try RandomSteps.day("2024-03-30")
        let figures = { (metric: HealthMetric, day: CalendarDay, quantity: Double) in
            DailyProgress(
                metric: metric, day: day, start: day.utcStart, unit: "", figures: ProgressFigures(quantity: quantity))
        }
        let progress = [
            figures(.steps, day, 9_000), figures(.steps, day.advanced(by: 1), 1), figures(.restingHeartRate, day, 52),
            figures(.heartRate, day, 70),
        ]
        let snapshot = ActivitySnapshot(day: day, progress: progress, sleep: [])
        var expected = ActivitySnapshot(day: day)
        expected.steps = 9_000
        expected.restingHeartRate = 52
        #expect(snapshot == expected)
        #expect(ActivitySnapshot(day: day.advanced(by: 2), progress: progress, sleep: []).isEmpty)
    }

    @Test func minutesAsleepComeFromTheMainSleep() throws {
        let fixture = try SleepFixture()
        let watch = SampleSeries("Watch").adding(SleepFixture.core, at: "2024-03-29T22:00:00Z", minutes: 400)
            .adding(SleepFixture.core, at: "2024-03-30T13:00:00Z", minutes: 30)
        let phone = SampleSeries("iPhone").adding(SleepFixture.asleep, at: "2024-03-29T21:00:00Z", minutes: 500)
        let sessions = fixture.sessions([watch.samples, phone.samples])
        let day = try RandomSteps.day("2024-03-30")
        #expect(ActivitySnapshot(day: day, progress: [], sleep: sessions).minutesAsleep == 400)
        let inBed = SampleSeries("iPhone").adding(SleepFixture.inBed, at: "2024-03-29T21:00:00Z", minutes: 500)
        let unslept = fixture.sessions([inBed.samples])
        #expect(ActivitySnapshot(day: day, progress: [], sleep: unslept).minutesAsleep == nil)
        let awake = SampleSeries("Watch").adding(SleepFixture.inBed, at: "2024-03-29T21:00:00Z", minutes: 500)
            .adding(SleepFixture.awake, at: "2024-03-29T21:05:00Z", minutes: 180)
        let sleepless = fixture.sessions([awake.samples])
        #expect(ActivitySnapshot(day: day, progress: [], sleep: sleepless).minutesAsleep == 0)
    }
}
