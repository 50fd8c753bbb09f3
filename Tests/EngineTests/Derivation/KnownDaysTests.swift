import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@testable import HealthSyncEngine

/// Tests of the days that a run over all history covers.
@Suite struct KnownDaysTests {
    private let bench = EngineBench(ProbeHandler())

    private func known(_ facts: Fact...) async throws -> DayRange? {
        try await bench.importSources(.snapshot(facts, on: 50))
        return try await find()
    }

    @Test func theyExtendFromTheFirstStartToTheLastEnd() async throws {
        let short = Fact.steps(9, day: 2)
        #expect(try await known(short) == Fact.days(1, 4))
        #expect(try await known(short, .steps(9, day: 0, minutes: 4 * 1_440)) == Fact.days(-1, 6))
        #expect(try await known(short, .steps(9, day: 0, minutes: 31 * 1_440)) == Fact.days(-1, 33))
    }

    @Test func anImplausiblyLongSampleDoesNotExtendThem() async throws {
        let known = try #require(try await known(.steps(9, day: 0, minutes: 5_000 * 1_440)))
        #expect(known.first == Fact.day(-1) && known.last <= Fact.day(34))
    }

    @Test func withoutASampleThereAreNone() async throws { #expect(try await find() == nil) }

    private func find() async throws -> DayRange? {
        try await KnownDays(ports: bench.ports, settings: bench.settings).find()
    }
}
