import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Sessions that split, grow, shrink and move to other nights: none is lost and none replaces another.
@Suite("Sleep identity")
struct SleepIdentityTests {
    private static let zones = ["Europe/Paris", "Asia/Tokyo", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"]

    private func nights(_ bench: EngineBench) async throws -> [RevisedRecord<SleepSession>] {
        try await bench.stores.tracking.sleepSessions(days: Fact.days(-100, 100))
    }

    private func bench(_ destination: String? = nil) -> EngineBench {
        var bench = EngineBench(NightHandler())
        bench.destination = destination
        return bench
    }

    @Test("When a session splits, the longer part keeps the id and the other gets a new one")
    func fallsInTwo() async throws {
        let bench = bench("https://example.org")
        let evening = 23 * 60
        try await bench.historical(.snapshot([.core(from: evening, minutes: 480)], on: 40, at: "a"))
        let whole = try #require(try await nights(bench).first)
        try await bench.historical(
            .snapshot(
                [.core(from: evening, minutes: 60), .core(from: evening + 180, minutes: 300)], on: 41, at: "b"))
        let parts = try await nights(bench)
        #expect(parts.map { $0.record.interval.milliseconds / 60_000 } == [60, 300])
        #expect(parts.last?.sourceID == whole.sourceID)
        #expect(Set(parts.map(\.sourceID)).count == 2)
        #expect(try await bench.queued().count { $0.hasPrefix("-") && !$0.hasPrefix("-snapshot") } == 0)
    }

    @Test("A session that begins where a shortened one once began does not replace it")
    func shrinksThenLate() async throws {
        let bench = bench()
        let evening = 23 * 60
        let rest = Fact.core(from: evening + 150, minutes: 330)
        try await bench.historical(.snapshot([.core(from: evening, minutes: 480)], on: 40, at: "a"))
        try await bench.historical(.snapshot([rest], on: 41, at: "b"))
        try await bench.historical(.snapshot([.core(from: evening, minutes: 60), rest], on: 42, at: "c"))
        #expect(try await nights(bench).map { $0.record.interval.milliseconds / 60_000 } == [60, 330])
    }

    @Test("A session that belongs to another day in another zone remains the same record")
    func moves() async throws {
        var bench = bench("https://example.org")
        let facts = (0..<6).map { Fact.core(from: $0 * 1_440 + 10 * 60, minutes: 120) }
        try await bench.historical(.snapshot(facts, on: 40, at: "a"))
        let before = try await nights(bench)
        for zone in Self.zones {
            bench.clock = DayClock(home: try ZoneRules(identifier: zone))
            try await bench.historical(.snapshot(facts, on: 41, at: zone))
            let after = try await nights(bench)
            #expect(after.map(\.sourceID).sorted() == before.map(\.sourceID).sorted())
        }
        let moved = try await nights(bench)
        #expect(Set(moved.map(\.record.day)) != Set(before.map(\.record.day)))
        #expect(try await bench.queued().filter { $0.hasPrefix("-") && !$0.hasPrefix("-snapshot") } == [])
    }

    /// Returns the pieces with some removed, added and truncated.
    private static func changed(_ facts: [Fact], _ random: inout SeededRandom) -> [Fact] {
        var facts = facts.filter { _ in Int.random(in: 0..<12, using: &random) > 0 }
        for index in facts.indices where Int.random(in: 0..<10, using: &random) == 0 {
            facts[index].minutes = max(5, facts[index].minutes - Int.random(in: 0...90, using: &random))
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let minute = Int.random(in: 0..<12 * 1_440, using: &random)
            facts.append(.core(from: minute, minutes: Int.random(in: 5...240, using: &random)))
        }
        return Array(Set(facts)).sorted()
    }

    @Test("After any changes the stored sessions are those of a fresh database", arguments: Seeds.range(UInt64(40)))
    func anyChanges(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var bench = bench()
        var facts = (0..<12).flatMap { day in
            (0..<6).map { Fact.core(from: day * 1_440 + 1_300 + $0 * 90, minutes: 60 + 10 * ($0 % 4)) }
        }
        var before: [RevisedRecord<SleepSession>] = []
        for step in 0..<8 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                let zone = Self.zones[Int.random(in: 0..<Self.zones.count, using: &random)]
                bench.clock = DayClock(home: try ZoneRules(identifier: zone))
            }
            try await bench.historical(.snapshot(facts, on: 40 + step, at: "\(step)"))
            var fresh = self.bench()
            fresh.clock = bench.clock
            try await fresh.historical(.snapshot(facts, on: 40))
            let after = try await nights(bench)
            let expected = try await nights(fresh)
            #expect(after.map(\.record) == expected.map(\.record))
            #expect(Set(after.map(\.sourceID)).count == after.count)
            for (old, new) in Self.onlyPairs(before, after) { #expect(new.sourceID == old.sourceID) }
            before = after
            facts = Self.changed(facts, &random)
        }
    }

    /// Returns whether no session overlaps more than one of the other list.
    private static func onlyPairs(
        _ before: [RevisedRecord<SleepSession>], _ after: [RevisedRecord<SleepSession>]
    ) -> [(RevisedRecord<SleepSession>, RevisedRecord<SleepSession>)] {
        func shares(_ one: SleepSession, _ other: SleepSession) -> Bool {
            one.interval.start < other.interval.end && other.interval.start < one.interval.end
        }
        return after.compactMap { session in
            let old = before.filter { shares($0.record, session.record) }
            guard old.count == 1, after.count(where: { shares(old[0].record, $0.record) }) == 1 else { return nil }
            return (old[0], session)
        }
    }
}
