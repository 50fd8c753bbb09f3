import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// Nights, days and roles: the inputs of reports, and every number of the rules at its boundary. Times are those of Paris in
/// January, as `day hour:minute`.
struct SleepArrangementTests {
    private struct Sleep {
        var recorder = "Watch"
        var from: String
        var to: String
        var stage = SleepFixture.core
    }

    /// Minutes asleep by role and day: `15 main 480`.
    private func nights(
        _ sleeps: [Sleep], nightGapMinutes: Int = SleepSessionBuilder.standardNightGapMinutes
    ) throws -> [String] {
        SleepEpisode.episodes(of: try sessions(sleeps, nightGapMinutes: nightGapMinutes)).map { episode in
            let minutes = episode.durations.isSleepKnown ? "\(episode.durations.asleep / 60_000)" : "in bed"
            return "\(episode.day.components.day) \(episode.role.rawValue) \(minutes)"
        }
    }

    private func sessions(
        _ sleeps: [Sleep], nightGapMinutes: Int = SleepSessionBuilder.standardNightGapMinutes
    ) throws -> [SleepSession] {
        let fixture = try SleepFixture(first: "2024-01-10", days: 20)
        let samples = try Dictionary(grouping: sleeps, by: \.recorder).map { name, sleeps in
            try sleeps.reduce(SampleSeries(name)) { series, sleep in
                let (start, end) = (try Self.instant(sleep.from), try Self.instant(sleep.to))
                return series.adding(sleep.stage, at: start, milliseconds: end.milliseconds - start.milliseconds)
            }.samples
        }
        let rules = DerivationRules(clock: fixture.clock)
        return SleepSessionBuilder(days: fixture.days, nightGapMinutes: nightGapMinutes, rules: rules)
            .sessions(of: samples).sleepSessions
    }

    private static func instant(_ text: String) throws -> Instant {
        let parts = text.split(separator: " ")
        let time = parts[1].count == 5 ? "\(parts[1]):00" : "\(parts[1])"
        return try #require(RFC3339.instant("2024-01-\(parts[0])T\(time)+01:00"))
    }

    @Test("A ring completes a watch that died, and recorders that differ by minutes do not add up")
    func recordersComplete() throws {
        let watch = Sleep(from: "14 23:00", to: "15 01:00")
        let ring = Sleep(recorder: "Oura", from: "14 23:00", to: "15 07:00")
        #expect(try nights([watch, ring]) == ["15 main 480"])
        #expect(
            try nights([watch, Sleep(recorder: "Pillow", from: "14 23:00", to: "15 07:00", stage: 1)]) == [
                "15 main 480"
            ])
        let replaced = Sleep(recorder: "Watch B", from: "15 02:00", to: "15 07:00")
        #expect(
            try nights([Sleep(recorder: "Watch A", from: "14 23:00", to: "15 02:00"), replaced]) == ["15 main 480"])
        let whole = Sleep(from: "14 23:00", to: "15 07:00")
        #expect(try nights([whole, Sleep(recorder: "Oura", from: "14 22:50", to: "15 07:20")]) == ["15 main 480"])
    }

    @Test("Only an uncovered stretch longer than the gap counts", arguments: [("08:00", 480), ("08:00:01", 540)])
    func longStretches(end: String, minutes: Int) throws {
        let watch = Sleep(from: "14 23:00", to: "15 07:00")
        let ring = Sleep(recorder: "Oura", from: "15 06:00", to: "15 \(end)")
        #expect(try nights([watch, ring]) == ["15 main \(minutes)"])
    }

    @Test("A session that nothing covers counts however short")
    func shortRest() throws {
        let watch = Sleep(from: "14 23:00", to: "15 02:00")
        #expect(try nights([watch, Sleep(recorder: "Oura", from: "15 02:00", to: "15 02:40")]) == ["15 main 220"])
    }

    @Test("A lone nap belongs to its day and is no night")
    func napOfTheAfternoon() throws {
        let night = Sleep(from: "14 23:00", to: "15 07:00")
        let nap = Sleep(from: "15 14:00", to: "15 15:30")
        #expect(try nights([night, nap]) == ["15 main 480", "15 nap 90"])
        #expect(try nights([nap]) == ["15 nap 90"])
    }

    @Test("Sleep by day belongs to the day on which it ends")
    func daySleepers() throws {
        let days = [
            Sleep(from: "15 12:10", to: "15 18:30"), Sleep(from: "16 11:50", to: "16 18:50"),
            Sleep(from: "17 12:10", to: "17 18:40"),
        ]
        #expect(try nights(days) == ["15 main 380", "16 main 420", "17 main 390"])
        #expect(try nights([Sleep(from: "15 12:30", to: "15 19:30")]) == ["15 main 420"])
        let between = [
            Sleep(from: "14 23:00", to: "15 07:00"), Sleep(from: "15 13:00", to: "15 17:00"),
            Sleep(from: "15 23:30", to: "16 07:00"),
        ]
        #expect(try nights(between) == ["15 main 480", "15 additional 240", "16 main 450"])
    }

    @Test("Sleep outranks the time in bed of the same recorder")
    func timeInBed() throws {
        let bed = Sleep(recorder: "Clock", from: "15 13:00", to: "15 21:00", stage: 0)
        let sleep = Sleep(recorder: "Clock", from: "15 23:00", to: "16 06:00", stage: 1)
        #expect(try nights([bed, sleep]) == ["15 main in bed", "16 main 420"])
        let earlier = Sleep(recorder: "Clock", from: "14 23:00", to: "15 06:30", stage: 1)
        #expect(try nights([bed, sleep, earlier]) == ["15 main 450", "16 main 420"])
    }

    @Test("A long wake does not cut a night", arguments: [("05:23", "05:23:01"), ("05:23", "05:23")])
    func longWake(exactly: String, from: String) throws {
        let parts = [Sleep(from: "14 23:00", to: "15 02:23"), Sleep(from: "15 \(from)", to: "15 08:37")]
        let isOne = exactly == from
        #expect(try nights(parts).count == (isOne ? 1 : 2))
        #expect(try nights(parts).first == (isOne ? "15 main 397" : "15 main 203"))
        #expect(try nights(parts, nightGapMinutes: 181).count == 1)
    }

    @Test(
        "Parts of a night begin at night, near it with 90 minutes of sleep, or have three hours",
        arguments: [
            ("20:59", 89, false), ("20:59", 90, true), ("21:00", 1, true), ("08:59", 1, true), ("09:00", 89, false),
            ("09:00", 90, true),
            ("17:59", 179, false), ("18:00", 90, true), ("18:00", 89, false), ("11:59", 90, true), ("12:00", 90, false),
            ("12:00", 179, false), ("12:00", 180, true),
        ])
    func partsOfNights(begin: String, minutes: Int, isPart: Bool) throws {
        // Sleep of three hours lies two hours before or after.
        let isEarly = begin < "13"
        let start = try Self.instant("15 \(begin)")
        let end = start.advanced(bySeconds: Int64(minutes) * 60)
        let fixture = try SleepFixture(first: "2024-01-10", days: 20)
        let other = isEarly ? start.advanced(bySeconds: -5 * 3_600) : end.advanced(bySeconds: 2 * 3_600)
        let series = SampleSeries("Watch").adding(SleepFixture.core, at: start, milliseconds: Int64(minutes) * 60_000)
            .adding(SleepFixture.core, at: other, milliseconds: 3 * 3_600_000)
        let episodes = SleepEpisode.episodes(of: fixture.sessions([series.samples]))
        #expect(episodes.count == (isPart ? 1 : 2))
    }

    @Test(
        "A night that began at 18:00 of the date on which it ends belongs to the next date",
        arguments: [("17:59:59", "15"), ("18:00", "16")])
    func eveningsEnd(begin: String, day: String) throws {
        #expect(try nights([Sleep(from: "15 \(begin)", to: "15 22:30")]).first?.hasPrefix("\(day) main") == true)
    }

    @Test(
        "Less than three hours by day are a nap, even if nothing else is recorded",
        arguments: [
            ("09:00", "11:59", "nap"), ("09:00", "12:00", "main"), ("08:59", "11:58", "main"),
            ("20:59", "21:59:59", "nap"), ("20:59", "22:00", "main"), ("21:00", "21:30", "main"),
        ])
    func napsByDay(from: String, to: String, role: String) throws {
        let episodes = SleepEpisode.episodes(of: try sessions([Sleep(from: "15 \(from)", to: "15 \(to)")]))
        #expect(episodes.map(\.role.rawValue) == [role])
    }

    @Test("Of two nights of a day the longer is the main sleep, of equal ones the earlier")
    func mainSleep() throws {
        let early = Sleep(from: "14 22:00", to: "15 02:00")
        #expect(try nights([early, Sleep(from: "15 05:30", to: "15 09:31")]) == ["15 additional 240", "15 main 241"])
        #expect(try nights([early, Sleep(from: "15 05:30", to: "15 09:30")]) == ["15 main 240", "15 additional 240"])
        #expect(try nights([early, Sleep(from: "15 05:30", to: "15 08:29")]) == ["15 main 240", "15 nap 179"])
    }

    @Test("Of sessions without sleep the longest counts, on a day without sleep")
    func onlyInBed() throws {
        let bed = Sleep(recorder: "Phone", from: "14 23:00", to: "15 06:00", stage: 0)
        let app = Sleep(recorder: "App", from: "14 22:30", to: "15 06:30", stage: 0)
        let found = try sessions([bed, app])
        #expect(found.filter { $0.share != nil }.map(\.origin.sourceName) == ["App"])
        #expect(try nights([bed, app]) == ["15 main in bed"])
        #expect(try nights([bed, app, Sleep(from: "15 00:00", to: "15 04:00")]) == ["15 main 240"])
    }

    @Test("Being awake counts before, between and after sleep, once, and not where another recorder decides")
    func awake() throws {
        let watch = [
            Sleep(from: "14 22:30", to: "14 23:00", stage: 2), Sleep(from: "14 23:00", to: "15 01:00"),
            Sleep(from: "15 01:00", to: "15 01:30", stage: 2),
        ]
        let ring = [
            Sleep(recorder: "Oura", from: "14 22:40", to: "14 22:50", stage: 2),
            Sleep(recorder: "Oura", from: "14 23:00", to: "15 01:10"),
            Sleep(recorder: "Oura", from: "15 01:10", to: "15 01:20", stage: 2),
            Sleep(recorder: "Oura", from: "15 01:20", to: "15 07:00"),
        ]
        let alone = SleepEpisode.episodes(of: try sessions(watch))
        #expect(alone.map(\.durations.awake) == [60 * 60_000])
        #expect(alone.map(\.durations.inBed) == [180 * 60_000])
        let both = try #require(SleepEpisode.episodes(of: try sessions(watch + ring)).first)
        #expect(both.durations.asleep == (120 + 350) * 60_000)
        #expect(both.durations.awake == (30 + 10) * 60_000)
        #expect(both.durations.inBed == 510 * 60_000)
        #expect(both.sources == ["Watch", "Oura"])
    }

    @Test("The time between the parts of a night is neither awake nor in bed")
    func betweenParts() throws {
        let parts = [Sleep(from: "14 23:00", to: "15 02:00"), Sleep(from: "15 04:00", to: "15 07:00")]
        let night = try #require(SleepEpisode.episodes(of: try sessions(parts)).first)
        #expect(night.durations.inBed == 360 * 60_000 && night.durations.awake == 0)
        #expect(night.durations.efficiencyPercentage == 100)
        #expect(night.interval.milliseconds == 480 * 60_000 && night.periods.count == 2)
        #expect(Hypnogram(of: night)?.segments.count == 2)
        #expect(Hypnogram(of: night)?.slices(8) == [.core, .core, .core, nil, nil, .core, .core, .core])
    }

    @Test("A sum of a night counts only where no other sleep lies")
    func sums() throws {
        let fixture = try SleepFixture(first: "2024-01-10", days: 20)
        let origin = SampleOrigin(sourceName: "Feed", isPreAggregated: true)
        let sum = try SampleSeries(origin).adding(
            SleepFixture.core, at: Self.instant("14 23:00"), milliseconds: 8 * 3_600_000,
            detail: SampleDetail(stateMilliseconds: 7 * 3_600_000))
        let watch = try SampleSeries("Watch").adding(
            SleepFixture.asleep, at: Self.instant("15 06:00"), milliseconds: 2 * 3_600_000)
        let alone = SleepEpisode.episodes(of: fixture.sessions([sum.samples]))
        #expect(alone.map(\.durations.asleep) == [7 * 3_600_000])
        let both = SleepEpisode.episodes(of: fixture.sessions([sum.samples, watch.samples]))
        #expect(both.map(\.durations.asleep) == [2 * 3_600_000])
    }

    @Test("The zone of the sample that ends last decides the day")
    func statedZone() throws {
        let fixture = try SleepFixture(first: "2024-01-10", days: 20)
        // 13:00 to 19:40 in UTC are 22:00 to 4:40 of the next date in Tokyo.
        let samples = SampleSeries("Watch")
            .adding(SleepFixture.core, at: "2024-01-15T13:00:00Z", minutes: 100, zoneName: "Europe/Paris")
            .adding(SleepFixture.core, at: "2024-01-15T14:40:00Z", minutes: 300, zoneName: "Asia/Tokyo")
        let sessions = fixture.sessions([samples.samples])
        #expect(sessions.map(\.day.description) == ["2024-01-16"])
        #expect(sessions.map(\.offsetSeconds) == [3_600])
    }
}
