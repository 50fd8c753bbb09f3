import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Shoe sessions")
struct ShoeSessionsTests {
    /// The reference for sessions: the shoe worn in each minute after the same actions.
    private struct Minutes {
        let start: Instant
        var shoes: [UUID?]

        func index(_ instant: Instant) -> Int {
            max(0, min(shoes.count, Int((instant.milliseconds - start.milliseconds) / 60_000)))
        }

        mutating func paint(_ range: InstantRange, _ shoe: UUID?) {
            for minute in index(range.start)..<index(range.end) { shoes[minute] = shoe }
        }
    }

    @Test(
        "After any actions the last one prevails in every minute, no sessions overlap, at most one is active",
        arguments: Seeds.range(40))
    func actions(batch: UInt64) throws {
        for seed in batch * 25..<(batch + 1) * 25 {
            var random = SeededRandom(seed: seed)
            let (zone, text) = ShoeDays.all[Int(seed % 7)]
            let clock = try ZoneClocks.clock(zone)
            let day = try RandomSteps.day(text)
            let range = clock.interval(of: DayRange(day).widened(before: 1, after: 1))
            var minutes = Minutes(
                start: range.start, shoes: [UUID?](repeating: nil, count: Int(range.milliseconds / 60_000)))
            let forever = Instant(milliseconds: .max)
            var sessions = ShoeSessions()
            let newID = ShoeDays.counter()
            var now = range.start
            for _ in 0..<25 {
                now = min(range.end, now.advanced(bySeconds: 60 * Int64.random(in: 0...300, using: &random)))
                let shoe = ShoeDays.shoes.randomElement(using: &random) ?? ShoeDays.shoes[0]
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    sessions.start(shoe, at: now, newID: newID)
                    minutes.paint(InstantRange(start: now, end: forever), shoe)
                case 1:
                    if sessions.active != nil { minutes.paint(InstantRange(start: now, end: forever), nil) }
                    sessions.stop(at: now)
                default:
                    let hours = DayHours(of: day.advanced(by: Int.random(in: -1...1, using: &random)), clock: clock)
                    let isAssigned = Bool.random(using: &random)
                    for hour in try hours.ranges(of: ShoeDays.randomHours(hours, random: &random))
                    where hour.start < now {
                        let past = InstantRange(start: hour.start, end: min(hour.end, now))
                        minutes.paint(past, isAssigned ? shoe : nil)
                        if isAssigned {
                            sessions.assign(past, to: shoe, newID: newID)
                        } else {
                            sessions.clear(past, newID: newID)
                        }
                    }
                }
                try #require(sessions.isSound, "seed \(seed)")
            }
            for (index, shoe) in minutes.shoes.enumerated() {
                let start = range.start.advanced(bySeconds: Int64(index) * 60)
                let found = sessions.indices(touching: InstantRange(start: start, end: start.advanced(bySeconds: 60)))
                try #require(found.count <= 1)
                try #require(found.first.map { sessions.all[$0].shoe } == shoe, "seed \(seed), minute \(index)")
            }
        }
    }

    @Test(
        "Assigning and unassigning equals unassigning",
        arguments: Seeds.range(40))
    func thereAndBack(batch: UInt64) throws {
        for seed in batch * 50..<(batch + 1) * 50 {
            var random = SeededRandom(seed: seed)
            let (zone, text) = ShoeDays.all[Int(seed % 7)]
            let clock = try ZoneClocks.clock(zone)
            let day = try RandomSteps.day(text)
            let newID = ShoeDays.counter()
            let made = ShoeDays.randomSessions(
                in: clock.interval(of: DayRange(day).widened(before: 1, after: 1)), random: &random, newID: newID)
            let before = ShoeDays.partlyByThemselves(made, random: &random)
            let hours = DayHours(of: day, clock: clock)
            let chosen = try hours.ranges(of: ShoeDays.randomHours(hours, random: &random))
            var assigned = before
            for range in chosen { assigned.assign(range, to: ShoeDays.shoes[0], newID: newID) }
            var twice = assigned
            for range in chosen { twice.assign(range, to: ShoeDays.shoes[0], newID: newID) }
            #expect(twice == assigned)
            for range in chosen {
                let worn = assigned.all[assigned.indices(touching: range)].filter { $0.shoe == ShoeDays.shoes[0] }
                let length = worn.reduce(0) { $0 + ($1.interval.intersection(range)?.milliseconds ?? 0) }
                #expect(length == range.milliseconds)
            }
            var back = assigned
            var cleared = before
            for range in chosen {
                back.clear(range, newID: newID)
                cleared.clear(range, newID: newID)
            }
            #expect(assigned.isSound && back.isSound)
            #expect(Wearing.all(back) == Wearing.all(cleared), "seed \(seed)")
            if chosen.allSatisfy({ before.indices(touching: $0).isEmpty }) { #expect(back == before) }
        }
    }

    @Test("Assigning hours within a session keeps its ends")
    func split() {
        let newID = ShoeDays.counter()
        func at(_ hour: Int64) -> Instant { Instant(seconds: hour * 3600) }
        let whole = ShoeSession(id: newID(), shoe: ShoeDays.shoes[1], start: at(8), isAutoStarted: true)
        var sessions = ShoeSessions([whole])
        sessions.assign(InstantRange(start: at(10), end: at(12)), to: ShoeDays.shoes[0], newID: newID)
        #expect(sessions.all.map(\.start) == [at(8), at(10), at(12)])
        #expect(sessions.all.map(\.end) == [at(10), at(12), nil])
        #expect(sessions.all.map(\.isAutoStarted) == [true, false, false])
        #expect(sessions.all[0].id == whole.id)
        #expect(sessions.active?.shoe == ShoeDays.shoes[1])
    }
}
