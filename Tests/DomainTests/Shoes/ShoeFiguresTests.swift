import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Steps of shoes")
struct ShoeFiguresTests {
    private struct Key: Hashable {
        let hour: Int64
        let session: Int?
    }

    /// Four days with random samples and sessions, around a clock change.
    private struct World {
        let input: RandomSteps
        let sessions: ShoeSessions
        let unit: String
        var now: Instant { input.clock.interval(of: input.range).end }

        init(seed: UInt64, withFeed: Bool, unit: String, zones: [String?] = [nil]) throws {
            let (zone, day) = ShoeDays.all[Int(seed % 7)]
            let first = try RandomSteps.day(day).advanced(by: -2)
            input = try RandomSteps(
                seed: seed, withFeed: withFeed, areWhole: unit == "count", zones: zones, home: ZoneClocks.clock(zone),
                firstDay: "\(first)")
            var random = SeededRandom(seed: seed)
            let newID = ShoeDays.counter()
            var sessions = ShoeDays.randomSessions(
                in: input.clock.interval(of: input.range), random: &random, newID: newID)
            if let last = sessions.all.last?.interval.end, seed % 3 == 0 {
                sessions.start(ShoeDays.shoes[2], at: last.advanced(bySeconds: 600), newID: newID)
            }
            self.sessions = sessions
            self.unit = unit
        }

        /// Returns the divided hours. If `onlyCut`, merged values are passed only for hours in which a session begins
        /// or ends.
        func hours(of day: DailyProgress, onlyCut: Bool) -> [AttributedHour] {
            let shares = HourShares(sessions)
            let cuts = onlyCut ? day.hours.flatMap { shares.cuts(of: $0.start) } : allEdges
            let stretches = input.merge(DayRange(day.day), unit: unit).stretches(of: input.samples, cutAt: cuts)
            return day.hours.map { hour in
                AttributedHour(
                    metric: .steps, start: hour.start, quantity: hour.figures.quantity,
                    shares: shares.shares(of: hour, isWhole: unit == "count", stretches: stretches))
            }
        }

        var allEdges: [Instant] { sessions.all.flatMap { [$0.start, $0.interval.end] } }

        func owner(_ moment: Instant) -> Int? {
            sessions.indices(touching: InstantRange(start: moment, end: moment.advanced(byMilliseconds: 1))).first
        }
    }

    @Test("Attributed and unattributed steps add up to the merged total of the day exactly", arguments: Seeds.range(40))
    func sums(batch: UInt64) throws {
        for seed in batch * 18..<(batch + 1) * 18 {
            let zones: [String?] = seed % 3 == 0 ? [nil, "Asia/Kolkata", "America/New_York"] : [nil]
            let world = try World(seed: seed, withFeed: seed % 2 == 0, unit: "count", zones: zones)
            var hours: [AttributedHour] = []
            var days: [AttributedDay] = []
            for day in world.input.merged(days: world.input.range).progress {
                let ofDay = world.hours(of: day, onlyCut: true)
                #expect(ofDay == world.hours(of: day, onlyCut: false), "seed \(seed): with all merged values")
                for hour in ofDay {
                    #expect(hour.shares.reduce(0) { $0 + $1.quantity } == hour.quantity)
                    #expect(hour.shares.allSatisfy { $0.quantity >= 0 && $0.quantity == $0.quantity.rounded() })
                }
                let journal = ShoeJournal(
                    of: day.day, clock: world.input.clock, sessions: world.sessions, progress: [day], hours: ofDay,
                    now: world.now)
                let attributed = journal.uses.reduce(0) { $0 + ($1.figures.steps ?? 0) }
                #expect(attributed + (journal.unattributed.steps ?? -1) == day.figures.quantity, "seed \(seed)")
                #expect(journal.total.steps == day.figures.quantity)
                #expect(journal.hours.reduce(0) { $0 + ($1.figures.steps ?? 0) } == day.figures.quantity)
                hours += ofDay
                days.append(AttributedDay(day: day.day, sessions: world.sessions, hours: ofDay))
            }
            let totals = ShoeTotals.byShoe(world.sessions, days: days, now: world.now)
            let everything = hours.reduce(0) { $0 + $1.quantity }
            let none = hours.flatMap(\.shares).filter { $0.session == nil }.reduce(0) { $0 + $1.quantity }
            #expect(totals.values.reduce(0) { $0 + ($1.figures.steps ?? 0) } + none == everything)
        }
    }

    @Test("A session's share equals the merged minutes in it", arguments: Seeds.range(60))
    func minutes(seed: UInt64) throws {
        let world = try World(seed: seed, withFeed: false, unit: "km")
        let buckets = world.input.range.flatMap { world.input.clock.hours(of: $0) }
        let expected = MinuteOracle.sums(world.input) { moment in
            buckets.first { $0.contains(moment) }.map {
                Key(hour: $0.start.milliseconds, session: world.owner(moment))
            }
        }
        var found: [Key: Double] = [:]
        for day in world.input.merged(days: world.input.range, unit: "km").progress {
            for hour in world.hours(of: day, onlyCut: true) {
                for share in hour.shares where share.quantity > 0 {
                    found[Key(hour: hour.start.milliseconds, session: share.session), default: 0] += share.quantity
                }
            }
        }
        for key in Set(found.keys).union(expected.keys) {
            #expect(abs(found[key, default: 0] - expected[key, default: 0]) < 1e-6, "seed \(seed)")
        }
    }

    @Test("An hour without samples is divided in proportion to time")
    func byTime() throws {
        let start = Instant(seconds: 1_705_305_600)
        let newID = ShoeDays.counter()
        var sessions = ShoeSessions()
        sessions.assign(
            InstantRange(start: start.advanced(bySeconds: -60), end: start.advanced(bySeconds: 900)),
            to: ShoeDays.shoes[0], newID: newID)
        let shares = HourShares(sessions).shares(
            of: HourProgress(start: start, figures: ProgressFigures(quantity: 10)), isWhole: true, stretches: [])
        #expect(shares.map(\.session) == [0, nil])
        #expect(shares.map(\.quantity) == [3, 7])
    }

    @Test("The cost of a kilometre is the price divided by the distance")
    func cost() {
        var totals = ShoeTotals()
        let price = ShoePrice(amount: 120, currency: "EUR")
        #expect(totals.costPerKilometre(price) == nil)
        totals.figures.kilometres = 480
        #expect(totals.costPerKilometre(price) == 0.25)
        #expect(totals.costPerKilometre(nil) == nil)
    }
}
