import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// File names and records as in the published source of Hozz: `hozz-<time>-<destination>-<sequence>.ndjson`.
@Suite struct HozzFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let coverage = #"{"kind":"typeCoverage","type":"HKQuantityTypeIdentifierStepCount","complete":true}"#
    private let deletion =
        #"{"kind":"deletion","id":"u1","type":"HKQuantityTypeIdentifierStepCount","schemaVersion":1}"#

    private func steps(_ id: String, _ count: Int) -> String {
        #"{"schemaVersion":1,"id":"\#(id)","type":"HKQuantityTypeIdentifierStepCount","kind":"quantity","#
            + #""startDate":"2026-08-22T08:00:00.000Z","endDate":"2026-08-22T08:10:00.000Z","metadata":{},"#
            + #""quantity":{"unit":"count","value":\#(count)},"source":{"name":"Phone"}}"#
    }

    private func found(_ path: String) async throws -> [any HealthDataSource] {
        try await SourceDetection(formats: BuiltInSourceFormats.all(hasher: LibcryptoHasher()))
            .sources(at: path, in: .utc).sources
    }

    private func read(_ source: any HealthDataSource) async throws -> CollectedReading {
        try await CollectedReading.collect(source, SampleSelection(types: [], includesOtherTypes: true))
    }

    @Test func eachBatchInAFolderIsASource() async throws {
        try folder.write(steps("u1", 12) + "\n" + coverage + "\n", as: "hozz-20240304T090000Z-icloud-1.ndjson")
        try folder.write(coverage + "\n" + deletion + "\n", as: "hozz-20240304T100000Z-icloud-2.ndjson")
        try folder.write(coverage + "\n", as: "hozz-20240304T110000Z-icloud-3.ndjson")
        try folder.write(#"{"kind":"other"}"#, as: "notes.ndjson")
        let sources = try await found(folder.path)
        #expect(sources.map(\.provider) == ["hozz", "hozz"])
        #expect(sources.allSatisfy { $0.semantics == .changes })
        let samples = try await read(sources[0])
        #expect(samples.samples.map(\.line) == ["stepCount 12 count 2026-08-22T08:00:00Z 600s Phone u1"])
        #expect(samples.account.skippedElements == ["typeCoverage": 1])
        let deletions = try await read(sources[1]).account.deletions
        #expect(deletions == [DeletedSample(externalID: "u1", type: SampleTypeDefinition.stepCount.type)])
        let paths = try await [sources[0].fingerprint(), sources[1].fingerprint()].map(\.path)
        #expect(Set(paths).count == 2)
    }

    @Test func aFileIsRecognizedByItsContent() async throws {
        let lines = try folder.write(coverage + "\n" + steps("u2", 7), as: "batch.txt")
        #expect(try await found(lines).map(\.provider) == ["hozz"])
        #expect(try await read(found(lines)[0]).samples.map(\.value) == [7])
        let array = try folder.write("[" + steps("u3", 8) + "," + deletion + "]", as: "batch.json")
        #expect(try await found(array).map(\.provider) == ["hozz"])
        #expect(try await read(found(array)[0]).samples.map(\.value) == [8])
    }

    @Test func aTruncatedBatchKeepsItsWholeLines() async throws {
        let text = steps("u4", 9) + "\n" + String(steps("u5", 10).dropLast(20))
        let source = try #require(try await found(folder.write(text, as: "half.ndjson")).first)
        let reading = try await read(source)
        #expect(reading.samples.map(\.value) == [9])
        #expect(reading.account.rejected == ["not valid JSON": 1])
    }
}
