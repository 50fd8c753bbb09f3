import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Automatic sessions")
struct AutoSessionRulesTests {
    /// Returns a time on 2024-01-15 in Paris, in hours; more than 24 is on a later day.
    private static func at(_ hour: Double) -> Instant {
        Instant(seconds: 1_705_273_200 + Int64(hour * 3600))
    }

    private static let shoe = Shoe(
        id: ShoeDays.shoes[0], details: ShoeDetails(brand: "A", model: "B"), defaultSince: at(12), addedAt: at(0))

    private static func day(_ offset: Int) -> CalendarDay { CalendarDay(ordinal: 19_737 + offset) }

    private static func steps(_ walks: [(Double, Double)], until now: Double) -> StepIntervals {
        var series = SampleSeries("Watch")
        for walk in walks {
            series = series.adding(100, at: at(walk.0), milliseconds: Int64((walk.1 - walk.0) * 3_600_000))
        }
        return StepIntervals(of: [series.samples], until: at(now))
    }

    private func run(
        _ sessions: [ShoeSession] = [], walks: [(Double, Double)], now: Double, settled: Set<SettledHours> = [],
        shoe: Shoe? = shoe, hours: Int = 6
    ) throws -> [Wearing] {
        let rules = AutoSessionRules(
            clock: try ZoneClocks.clock("Europe/Paris"), inactivityHours: hours,
            days: DayRange(Self.day(0)).widened(before: 3, after: 3), now: Self.at(now))
        return Wearing.all(
            rules.sessions(
                after: ShoeSessions(sessions), defaultShoe: shoe, settled: settled,
                steps: Self.steps(walks, until: now), newID: ShoeDays.counter()))
    }

    private func made(_ start: Double, _ end: Double?) -> Wearing {
        Wearing(
            shoe: Self.shoe.id, start: Self.at(start), end: end.map { Self.at($0) }, isAuto: [true, end != nil])
    }

    private func worn(_ start: Double, _ end: Double? = nil, shoe: Int = 1) -> ShoeSession {
        ShoeSession(id: UUID(), shoe: ShoeDays.shoes[shoe], start: Self.at(start), end: end.map { Self.at($0) })
    }

    @Test("The first steps of a day start the default shoe; after six hours without steps it ends at the last ones")
    func startAndClose() throws {
        let walks = [(8.0, 8.5), (13, 13.5)]
        #expect(try run(walks: walks, now: 7) == [])
        #expect(try run(walks: walks, now: 8.25) == [made(8, nil)])
        #expect(try run(walks: walks, now: 19.4) == [made(8, nil)])
        #expect(try run(walks: walks, now: 19.5) == [made(8, 13.5)])
        #expect(try run(walks: walks, now: 16, hours: 3) == [made(8, 8.5)])
    }

    @Test("Every day starts a session, but none before the shoe became the default")
    func days() throws {
        let walks = [(-16.0, -15.5), (8, 8.5), (20, 20.5), (32, 32.5)]
        #expect(try run(walks: walks, now: 60) == [made(8, 8.5), made(32, 32.5)])
    }

    @Test("Nothing starts without a default, on a settled day, or on a day with a session of the user")
    func notStarted() throws {
        let walks = [(8.0, 8.5)]
        #expect(try run(walks: walks, now: 20, shoe: nil) == [])
        #expect(try run(walks: walks, now: 20, settled: [SettledHours(day: Self.day(0), start: Self.at(22))]) == [])
        let evening = worn(18, 19)
        #expect(try run([evening], walks: walks, now: 20) == Wearing.all(ShoeSessions([evening])))
        let since = worn(-20)
        let open = try run([since], walks: [(-19, -18), (-13, -12.5), (-8, -7), (-2, 3), (8, 8.5)], now: 10)
        #expect(open == Wearing.all(ShoeSessions([since])))
    }

    @Test("A session across midnight does not prevent a start the next morning")
    func overMidnight() throws {
        let late = worn(-3, 0.5)
        #expect(
            try run([late], walks: [(-3, 0.5), (8, 8.5)], now: 20)
                == Wearing.all(ShoeSessions([late])) + [made(8, 8.5)])
    }

    @Test("Inactivity ends the user's active session but keeps its start; without any steps nothing changes")
    func endsSessionsOfTheUser() throws {
        let session = worn(7)
        var closed = session
        closed.end = Self.at(9)
        closed.isAutoClosed = true
        #expect(try run([session], walks: [(8, 9)], now: 20, shoe: nil) == Wearing.all(ShoeSessions([closed])))
        #expect(try run([session], walks: [(6, 7)], now: 40, shoe: nil) == Wearing.all(ShoeSessions([session])))
        let longAgo = worn(-500)
        var ended = longAgo
        ended.end = Self.at(-400)
        ended.isAutoClosed = true
        #expect(try run([longAgo], walks: [(-401, -400)], now: 20, shoe: nil) == Wearing.all(ShoeSessions([ended])))
    }

    @Test("Better data moves automatic sessions, but not into hours that the user assigned")
    func betterData() throws {
        let ended = ShoeSession(
            id: UUID(), shoe: Self.shoe.id, start: Self.at(8), end: Self.at(9), isAutoStarted: true, isAutoClosed: true)
        let walks = [(7.0, 7.5), (8, 9), (12, 16)]
        #expect(try run([ended], walks: walks, now: 40) == [made(7, 16)])
        let settled: Set = [SettledHours(day: Self.day(0), start: Self.at(14))]
        #expect(try run([ended], walks: walks, now: 40, settled: settled) == [made(8, 14)])
    }

    @Test("A feed's daily sum has no times of steps and starts no session; an hourly one does")
    func feeds() {
        func first(_ minutes: Int64) -> Instant? {
            let feed = SampleSeries(SampleOrigin(sourceName: "A", isPreAggregated: true))
                .adding(900, at: Self.at(8), milliseconds: minutes * 60_000)
            return StepIntervals(of: [feed.samples], until: Self.at(40)).first(from: Self.at(0))
        }
        #expect(first(60) == Self.at(8))
        #expect(first(1_440) == nil)
    }

    @Test(
        "The result does not depend on when and how often the rules run, and entries of the user are preserved",
        arguments: Seeds.range(40))
    func sameEnd(batch: UInt64) throws {
        for seed in batch * 50..<(batch + 1) * 50 {
            var random = SeededRandom(seed: seed)
            let (zone, text) = ShoeDays.all[Int(seed % 7)]
            let clock = try ZoneClocks.clock(zone)
            let days = DayRange(try RandomSteps.day(text)).widened(before: 2, after: 1)
            let whole = clock.interval(of: days)
            let newID = ShoeDays.counter()
            var persons = ShoeDays.randomSessions(in: whole, random: &random, newID: newID)
            if Bool.random(using: &random), let last = persons.all.last?.interval.end {
                persons.start(ShoeDays.shoes[1], at: last.advanced(bySeconds: 7_200), newID: newID)
            }
            let settled = Set(
                days.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map { day in
                    let hour = clock.hours(of: day).randomElement(using: &random)?.start
                    return SettledHours(day: day, start: hour ?? clock.start(of: day))
                })
            var shoe = Self.shoe
            shoe.defaultSince = clock.start(of: days.first.advanced(by: Int.random(in: -1...1, using: &random)))
            let walks: [(start: Int64, minutes: Int64)] = (0..<Int.random(in: 0...25, using: &random)).map { _ in
                (
                    Int64.random(in: 0..<whole.milliseconds / 60_000, using: &random),
                    [0, 1, 10, 60, 150].randomElement(using: &random) ?? 1
                )
            }
            func run(_ sessions: ShoeSessions, knowing count: Int, now: Instant) -> ShoeSessions {
                var series = SampleSeries("Watch")
                for walk in walks.prefix(count) {
                    series = series.adding(
                        9, at: whole.start.advanced(bySeconds: walk.start * 60), milliseconds: walk.minutes * 60_000)
                }
                let rules = AutoSessionRules(clock: clock, inactivityHours: 6, days: days, now: now)
                return rules.sessions(
                    after: sessions, defaultShoe: shoe, settled: settled,
                    steps: StepIntervals(of: [series.samples], until: now), newID: newID)
            }
            let once = run(persons, knowing: walks.count, now: whole.end)
            try #require(once.isSound, "seed \(seed)")
            #expect((run(once, knowing: walks.count, now: whole.end) == once) as Bool, "seed \(seed): twice")
            var arriving = persons
            for count in 0...walks.count where Bool.random(using: &random) {
                arriving = run(arriving, knowing: count, now: whole.end)
                try #require(arriving.isSound, "seed \(seed)")
            }
            arriving = run(arriving, knowing: walks.count, now: whole.end)
            #expect((Wearing.all(arriving) == Wearing.all(once)) as Bool, "seed \(seed): arrival")
            // The sessions of the user exist before, so time passes from the last of them on.
            var passing = persons
            let from = persons.all.last.map { $0.end ?? $0.start } ?? whole.start
            for _ in 0..<3 where from < whole.end {
                let moment = from.milliseconds...whole.end.milliseconds
                let now = Instant(milliseconds: Int64.random(in: moment, using: &random))
                passing = run(passing, knowing: walks.count, now: now)
            }
            passing = run(passing, knowing: walks.count, now: whole.end)
            #expect((Wearing.all(passing) == Wearing.all(once)) as Bool, "seed \(seed): time")
            for session in persons.all {
                let now = once.all.first { $0.id == session.id }
                #expect(now?.start == session.start && (session.isActive || now == session), "seed \(seed)")
            }
        }
    }
}
