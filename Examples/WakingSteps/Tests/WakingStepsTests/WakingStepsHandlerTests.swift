import HealthSyncDomain
import HealthSyncTestKit
import Testing
import WakingSteps

struct WakingStepsHandlerTests {
    @Test(arguments: HandlerContract.clauses(for: WakingStepsHandler()))
    func keepsTheContract(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    /// The figures of 15 January 2024 after a night of so many hours, counted in UTC.
    private func derived(
        steps: Double?, hoursAsleep: Int64?, role: SleepSession.Role = .main,
        settings: HandlerSettings = HandlerSettings()
    ) throws -> [Double] {
        let clock = DayClock(home: .utc)
        let day = try #require(CalendarDay("2024-01-15"))
        var results = DerivedDays()
        if let steps {
            results.progress.append(
                DailyProgress(
                    metric: .steps, day: day, start: clock.start(of: day), unit: "count",
                    figures: ProgressFigures(quantity: steps)))
        }
        if let hoursAsleep {
            let wakeUp = clock.start(of: day).advanced(bySeconds: 7 * 3600)
            let night = InstantRange(start: wakeUp.advanced(bySeconds: -hoursAsleep * 3600), end: wakeUp)
            var durations = SleepDurations()
            durations.asleep = hoursAsleep * 3_600_000
            results.sleepSessions.append(
                SleepSession(
                    day: day, onset: night.start, role: role, interval: night,
                    origin: SampleOrigin(sourceName: "Watch"),
                    offsetSeconds: 0, stages: [], durations: durations,
                    share: SleepShare(stretches: [night], durations: durations)))
        }
        let window = SampleWindow([:], results: results)
        return WakingStepsHandler().derive(
            DayRange(day), from: window, by: DerivationRules(clock: clock, settings: settings)
        )
        .progress.map(\.figures.quantity)
    }

    @Test("Steps are divided by the hours that were not slept")
    func quotient() throws {
        #expect(try derived(steps: 8_000, hoursAsleep: 8) == [500])
        #expect(try derived(steps: 0, hoursAsleep: 8) == [0])
    }

    @Test("A nap counts unless it is configured not to")
    func naps() throws {
        let setting = try #require(WakingStepsHandler().settings.first)
        #expect(try derived(steps: 9_000, hoursAsleep: 6, role: .nap) == [500])
        let settings = HandlerSettings([setting: .flag(false)])
        #expect(try derived(steps: 9_000, hoursAsleep: 6, role: .nap, settings: settings) == [])
    }

    @Test("A day without steps, without sleep or asleep throughout has no figure")
    func unknown() throws {
        #expect(try derived(steps: nil, hoursAsleep: 8) == [])
        #expect(try derived(steps: 8_000, hoursAsleep: nil) == [])
        #expect(try derived(steps: 8_000, hoursAsleep: 24) == [])
        #expect(try derived(steps: 8_000, hoursAsleep: 0) == [])
    }
}
