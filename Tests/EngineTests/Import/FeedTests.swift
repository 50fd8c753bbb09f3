import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

@Suite struct FeedTests {
    private let bench = EngineBench()

    private func bucket(_ value: Double, hour: Int, minutes: Int = 60) -> Fact {
        .steps(value, day: 0, hour: hour, origin: Fact.buckets, minutes: minutes)
    }

    @Test func aRepeatedBucketReplacesItself() async throws {
        try await bench.importSources(.feed([bucket(100, hour: 8), bucket(50, hour: 9)]))
        let report = try await bench.importSources(.feed([bucket(80, hour: 9), bucket(7, hour: 10)]))
        #expect(try await bench.kept() == [bucket(100, hour: 8), bucket(80, hour: 9), bucket(7, hour: 10)])
        #expect(report.map(\.stored) == [1] && report.map(\.alreadyKnown) == [1])
        #expect(report.map(\.corrected) == [1])
        let again = try await bench.importSources(.feed([bucket(80, hour: 9)]))
        #expect(again.map(\.alreadyKnown) == [1] && again.map(\.corrected) == [0])
        try await bench.importSources(.feed([bucket(60, hour: 9)]))
        #expect(try await bench.kept().contains(bucket(60, hour: 9)))
    }

    @Test func bucketsOfDifferentLengthCoexist() async throws {
        try await bench.importSources(.feed([bucket(100, hour: 8), bucket(3, hour: 8, minutes: 1)]))
        #expect(try await bench.kept().count == 2)
    }

    @Test func rawSamplesAreAddedAndNeverDeleted() async throws {
        let facts = [Fact.steps(5, day: 0), .steps(6, day: 0)]
        try await bench.importSources(.feed([facts[0]], at: "a"))
        try await bench.importSources(.feed([facts[1]], at: "b"))
        try await bench.importSources(.feed([], at: "c"))
        #expect(try await bench.kept() == facts)
    }

    @Test func feedsAreImportedInTheOrderGiven() async throws {
        try await bench.importSources(.feed([bucket(1, hour: 8)], at: "a"), .feed([bucket(2, hour: 8)], at: "b"))
        #expect(try await bench.kept() == [bucket(2, hour: 8)])
    }
}
