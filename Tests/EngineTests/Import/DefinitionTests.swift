import HealthSyncDomain
import HealthSyncEngine
import HealthSyncTestKit
import Testing

/// A type is stored in one unit.
@Suite struct DefinitionTests {
    private let bench = EngineBench()

    @Test func samplesStoredInAnotherUnitFailTheRunBeforeTheImport() async throws {
        try await bench.importSources(.snapshot([Fact.heartRate(60, day: 0)], on: 6, at: "a"), types: [.heartRate])
        let other = SampleTypeDefinition(
            SampleTypeDefinition.heartRate.type, .discrete, averaging: .temporallyWeighted, unit: "count/s")
        for force in [false, true] {
            let failure = await #expect(throws: SyncFailure.self) {
                try await bench.importSources(
                    .snapshot([Fact.heartRate(1, day: 1)], on: 7, at: "b"), types: [other], force: force)
            }
            #expect(failure?.code == .configuration)
            #expect(failure?.description.contains(#""count/s""#) == true)
            #expect(failure?.description.contains(#""count/min""#) == true)
        }
        #expect(try await bench.kept([.heartRate]) == [Fact.heartRate(60, day: 0)])
    }
}
