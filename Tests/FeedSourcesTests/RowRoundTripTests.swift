import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct RowRoundTripTests {
    private func write(_ rows: [SampleRow], by writer: any SampleRowWriter) async throws {
        try await writer.begin()
        try await writer.append(Array(rows.prefix(rows.count / 2)))
        try await writer.append(Array(rows.dropFirst(rows.count / 2)))
        try await writer.finish()
    }

    @Test func exportedLinesAreReadBackAsTheSameSamples() async throws {
        let folder = try TemporaryFolder()
        let rows = RandomRows.make(3_000, seed: 11)
        let path = folder.path + "/out.jsonl"
        try await write(rows, by: JSONLinesRowWriter(path: path, files: PosixFiles()))
        let reading = try await CollectedReading.collect(
            JSONLinesSource(path: path, hasher: LibcryptoHasher()), RandomRows.selection)
        #expect(reading.account.problems.map(\.what) == [])
        #expect(reading.samples == rows.map(SourceSample.init))
    }

    @Test func pythonReadsTheSameRowsFromBothForms() async throws {
        let folder = try TemporaryFolder()
        let rows = RandomRows.make(1_000, seed: 12)
        try await write(rows, by: JSONLinesRowWriter(path: folder.path + "/out.jsonl", files: PosixFiles()))
        try await write(rows, by: CSVRowWriter(path: folder.path + "/out.csv", files: PosixFiles()))
        let read = try await Peer.lines(
            of: "feeds/check_rows.py", [folder.path(of: "out.jsonl"), folder.path(of: "out.csv")])
        #expect(
            read.map(String.init)
                == rows.map { "\($0.id) \($0.interval.start.milliseconds) \($0.interval.milliseconds)" })
    }

    @Test func equalRowsGiveEqualBytesWithSortedNames() async throws {
        let folder = try TemporaryFolder()
        let origin = SampleOrigin(sourceName: "a\"b", device: "d", isUserEntered: true, isPreAggregated: true)
        let row = SampleRow(
            id: SampleID(high: 1, low: 2), type: SampleTypeDefinition.stepCount.type, origin: origin,
            interval: InstantRange(start: Instant(milliseconds: 0), end: Instant(milliseconds: 1)), value: 5,
            unit: "count", zoneName: "UTC",
            detail: SampleDetail(
                externalID: "e", syncVersion: 1, minimum: 0.5, maximum: 2, measurementCount: 3, stateMilliseconds: 4))
        try await write([row], by: JSONLinesRowWriter(path: folder.path + "/one.jsonl", files: PosixFiles()))
        let text = try String(contentsOfFile: folder.path + "/one.jsonl", encoding: .utf8)
        let expected =
            #"{"count":5,"endDate":"1970-01-01T00:00:00.001Z","externalID":"e","maximum":2,"measurementCount":3,"#
            + #""minimum":0.5,"preAggregated":true,"sourceBundleId":"a\"b","sourceDeviceName":"d","#
            + #""startDate":"1970-01-01T00:00:00Z","stateMilliseconds":4,"syncVersion":1,"timeZone":"UTC","#
            + #""type":"HKQuantityTypeIdentifierStepCount","unit":"count","#
            + #""uuid":"00000000-0000-0001-0000-000000000002","value":5,"wasUserEntered":true}"# + "\n"
        #expect(text == expected)
    }
}
