import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Assigned hours and automatic sessions")
struct AssignmentTests {
    private struct Assignment {
        let range: InstantRange
        let shoe: UUID?
    }

    /// Three days with manual and automatic sessions, after which the user assigned or cleared hours.
    private struct World {
        let clock: DayClock
        let days: DayRange
        var random: SeededRandom
        var sessions: ShoeSessions
        var assignments: [Assignment] = []
        var settled: Set<SettledHours> = []
        var whole: InstantRange { clock.interval(of: days) }

        init(seed: UInt64, newID: () -> UUID) throws {
            random = SeededRandom(seed: seed)
            let (zone, text) = ShoeDays.all[Int(seed % 7)]
            clock = try ZoneClocks.clock(zone)
            days = DayRange(try RandomSteps.day(text)).widened(before: 1, after: 1)
            let made = ShoeDays.randomSessions(in: clock.interval(of: days), random: &random, newID: newID)
            sessions = ShoeDays.partlyByThemselves(made, random: &random)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let hours = DayHours(of: days.first.advanced(by: Int.random(in: 0...2, using: &random)), clock: clock)
                let shoe = [nil, ShoeDays.shoes[0], ShoeDays.shoes[1]].randomElement(using: &random) ?? nil
                for range in try hours.ranges(of: ShoeDays.randomHours(hours, random: &random)) {
                    if let shoe {
                        sessions.assign(range, to: shoe, newID: newID)
                    } else {
                        sessions.clear(range, newID: newID)
                    }
                    assignments.append(Assignment(range: range, shoe: shoe))
                    settled.insert(SettledHours(day: hours.day, start: range.start))
                }
            }
        }

        mutating func randomSteps() -> StepIntervals {
            var series = SampleSeries("Watch")
            for _ in 0..<Int.random(in: 0...25, using: &random) {
                let minute = Int64.random(in: 0..<whole.milliseconds / 60_000, using: &random)
                let length = [1, 10, 60, 150].randomElement(using: &random) ?? 1
                series = series.adding(
                    9, at: whole.start.advanced(bySeconds: minute * 60), milliseconds: Int64(length) * 60_000)
            }
            return StepIntervals(of: [series.samples], until: whole.end)
        }

        /// Returns the shoe worn at `instant`.
        func worn(_ instant: Instant) -> UUID? {
            sessions.indices(touching: InstantRange(start: instant, end: instant.advanced(byMilliseconds: 1))).first
                .map { sessions.all[$0].shoe }
        }
    }

    @Test("Whatever steps arrive, the last assignment of hours is preserved", arguments: Seeds.range(40))
    func lastAssignment(batch: UInt64) throws {
        for seed in batch * 50..<(batch + 1) * 50 {
            let newID = ShoeDays.counter()
            var world = try World(seed: seed, newID: newID)
            var shoe = Shoe(
                id: ShoeDays.shoes[0], details: ShoeDetails(brand: "A", model: "B"), addedAt: world.whole.start)
            shoe.defaultSince = world.whole.start
            for _ in 0..<3 {
                let rules = AutoSessionRules(
                    clock: world.clock, inactivityHours: 6, days: world.days, now: world.whole.end)
                world.sessions = rules.sessions(
                    after: world.sessions, defaultShoe: shoe, settled: world.settled, steps: world.randomSteps(),
                    newID: newID)
                try #require(world.sessions.isSound, "seed \(seed)")
                for quarter in 0..<world.whole.milliseconds / 900_000 {
                    let instant = world.whole.start.advanced(bySeconds: quarter * 900)
                    guard let last = world.assignments.last(where: { $0.range.contains(instant) }) else { continue }
                    try #require(world.worn(instant) == last.shoe, "seed \(seed), \(instant)")
                }
            }
        }
    }
}
