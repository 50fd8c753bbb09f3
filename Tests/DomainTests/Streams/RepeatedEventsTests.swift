import HealthSyncTestKit
import Synchronization
import Testing

@testable import HealthSyncDomain

/// Equal events of one delivery are as many as it contains.
struct RepeatedEventsTests {
    private func columns(
        _ deliveries: [Int?],
        type: SampleTypeDefinition = .init(
            SampleType(rawValue: "HKQuantityTypeIdentifierDietaryWater"), .cumulative, counting: .events, unit: "mL"),
        detail: SampleDetail? = nil, isPreAggregated: Bool = false
    ) throws -> [SampleDetail?] {
        let found = Mutex<[SampleDetail?]>([])
        var builder = SampleBatchBuilder { batch in
            let details = (0..<batch.count).map { batch.details[$0] }
            found.withLock { $0 += details }
        }
        let start = Instant(milliseconds: 1_705_312_800_000)
        for delivery in deliveries {
            try builder.begin(statement: delivery)
            try builder.add(
                SampleBatchBuilder.Sample(
                    definition: type, origin: SampleOrigin(sourceName: "App", isPreAggregated: isPreAggregated),
                    interval: InstantRange(start: start, end: start), value: 250, zoneName: nil, detail: detail))
        }
        try builder.flush()
        return found.withLock { $0 }
    }

    @Test func theSecondAndThirdHaveIdentifiersThatOtherDeliveriesRepeat() throws {
        let details = try columns([0, 0, nil, 0, 1, 1])
        let identifiers = details.map { $0?.externalID }
        #expect(identifiers[0] == nil && identifiers[2] == nil && identifiers[4] == nil)
        #expect(identifiers[1] == identifiers[5] && identifiers[1] != identifiers[3])
        for identifier in [identifiers[1], identifiers[3]] {
            #expect(try #require(identifier.flatMap { SampleID($0) }).high >> 12 & 0xF == 8)
        }
    }

    @Test func othersHaveNone() throws {
        #expect(try columns([0, 0], type: .stepCount).allSatisfy { $0 == nil })
        #expect(try columns([nil, nil]).allSatisfy { $0 == nil })
        #expect(try columns([0, 0], isPreAggregated: true).allSatisfy { $0 == nil })
        let named = SampleDetail(externalID: "a")
        #expect(try columns([0, 0], detail: named) == [named, named])
    }

    @Test func moreThanTheMostAreTheSame() throws {
        let count = RepeatedEvents.most
        let identifiers = try columns([Int?](repeating: 0, count: count + 2)).map { $0?.externalID }
        #expect(Set(identifiers).count == count)
        #expect(identifiers[count - 1] == identifiers[count + 1])
    }

    @Test(arguments: [0, 1_705_312_800_000, -1, -62_135_596_800_000] as [Int64]) func anIdentifierOfAnAppIsNone(
        start: Int64
    ) {
        let repetition = SampleID(repetition: 2, from: Instant(milliseconds: start), content: [1, 2, 3])
        var samples = SampleColumns()
        for (at, detail) in [
            (start, SampleDetail(externalID: repetition.description)), (start, SampleDetail(syncVersion: 1)),
            (start + 1, SampleDetail(externalID: repetition.description)),
            (start, SampleDetail(externalID: "0b5ee4f1-5a0c-4c1e-9d6a-0c2c5a3b1f00")),
            (start, SampleDetail(externalID: repetition.description, syncVersion: 1)), (start, nil),
        ] { samples.append(start: at, duration: 0, value: 1, detail: detail) }
        #expect((0..<6).map { samples.isUnidentified($0) } == [true, true, false, false, false, true])
    }
}
