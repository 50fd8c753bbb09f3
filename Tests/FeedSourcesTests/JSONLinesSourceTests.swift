import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct JSONLinesSourceTests {
    private static let temperature = SampleTypeDefinition(
        SampleType(rawValue: "HKQuantityTypeIdentifierBodyTemperature"), .discrete, unit: "degC",
        factors: ["degF": 5.0 / 9], offsets: ["degF": -160.0 / 9])

    private let folder = try? TemporaryFolder()
    private let steps =
        #"{"uuid":"550E8400-E29B-41D4-A716-446655440000","startDate":"2024-01-15T08:00:00Z","#
        + #""endDate":"2024-01-15T09:00:00Z","count":1250,"sourceBundleId":"com.apple.health","#
        + #""sourceDeviceName":"iPhone 15"}"#

    private func read(
        _ bytes: some Sequence<UInt8>, _ selection: SampleSelection? = nil
    ) async throws -> CollectedReading {
        let path = try #require(folder).write(bytes, as: "\(UUID().uuidString).jsonl")
        let source = JSONLinesSource(path: path, hasher: LibcryptoHasher())
        return try await CollectedReading.collect(source, selection ?? RandomRows.selection)
    }

    private func read(_ text: String, _ selection: SampleSelection? = nil) async throws -> CollectedReading {
        try await read(Array(text.utf8), selection)
    }

    @Test func readsTheLinesOfPostSteps() async throws {
        let reading = try await read(steps + "\n")
        let sample = try #require(reading.samples.first)
        #expect(sample.type.shortName == "stepCount")
        #expect(sample.value == 1250)
        #expect(sample.origin == SampleOrigin(sourceName: "com.apple.health", device: "iPhone 15"))
        #expect(RFC3339.string(sample.interval.start) == "2024-01-15T08:00:00Z")
        #expect(RFC3339.string(sample.interval.end) == "2024-01-15T09:00:00Z")
        #expect(sample.detail?.externalID == "550e8400-e29b-41d4-a716-446655440000")
    }

    /// Which of the two values was meant is unknown.
    @Test(arguments: ["count", "\\u0063ount"]) func aLineWithARepeatedMemberIsRejected(name: String) async throws {
        let line = steps.replacing(#""count":1250"#, with: #""count":1250,"\#(name)":900"#)
        let reading = try await read(line + "\n" + steps + "\n")
        #expect(reading.samples.count == 1)
        #expect(reading.account.rejected == ["a member occurs twice": 1])
        #expect(reading.account.problems.map(\.byteOffset) == [0])
    }

    @Test func moreZonesThanExistAreReported() async throws {
        let lines = (0..<5_000).map { index in
            #"{"startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:01:00Z","type":"stepCount","value":\#(index + 1),"#
                + #""unit":"count","sourceBundleId":"x","timeZone":"Zone/\#(index)"}"#
        }
        let reading = try await read(lines.joined(separator: "\n") + "\n")
        #expect(reading.samples.count == 5_000)
        #expect(reading.samples.count { $0.zoneName != nil } == 4_096)
        #expect(
            reading.account.problems.map(\.what) == ["more than 4096 time zones; read 904 samples without the zone"])
    }

    @Test func convertsUnitsAndStateNames() async throws {
        let times =
            #""startDate":"2024-01-15T08:00:00+01:00","endDate":"2024-01-15T08:01:00+01:00","sourceBundleId":"x""#
        let reading = try await read(
            """
            {\(times),"type":"distanceWalkingRunning","value":2,"unit":"mi","timeZone":"Asia/Tokyo"}
            {\(times),"type":"HKCategoryTypeIdentifierSleepAnalysis","value":"HKCategoryValueSleepAnalysisAsleepREM"}
            {\(times),"type":"heartRate","value":60.5,"unit":"bpm","wasUserEntered":true}
            """)
        #expect(reading.samples.map(\.value) == [2 * 1.609344, 5, 60.5])
        #expect(reading.samples.map(\.zoneName) == ["Asia/Tokyo", nil, nil])
        #expect(reading.samples.map(\.origin.isUserEntered) == [false, false, true])
        #expect(reading.account.isComplete)
    }

    @Test func aZeroElsewhereIsMovedForEveryFigure() async throws {
        let reading = try await read(
            """
            {"startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:00:00Z","sourceBundleId":"x",\
            "type":"bodyTemperature","value":98.6,"unit":"degF","minimum":95,"maximum":104}
            """, SampleSelection(types: [Self.temperature]))
        let sample = try #require(reading.samples.first)
        let figures = [sample.value, try #require(sample.detail?.minimum), try #require(sample.detail?.maximum)]
        #expect(zip(figures, [37, 35, 40]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    }

    @Test(arguments: [
        (#""count":1250"#, #""count":-1"#, "count is not a whole number of steps"),
        (#""count":1250"#, #""count":1.5"#, "count is not a whole number of steps"),
        (#""count":1250"#, #""count":1e300"#, "count is not a whole number of steps"),
        (#""count":1250"#, #""count":1e400"#, "not valid JSON"),
        (#""count":1250"#, #""count":NaN"#, "not valid JSON"),
        (#""count":1250"#, #""count":"1250""#, "count is not a number"),
        (#""count":1250"#, #""count":true"#, "count is not a number"),
        (#""count":1250"#, #""value":7"#, "type is missing"),
        (#""count":1250"#, #""count":2,"value":3,"type":"stepCount""#, "count and value differ"),
        (#""count":1250"#, #""count":2,"type":"heartRate""#, "count is used with a type other than steps"),
        (#""count":1250"#, #""value":2,"type":"heartRate""#, "unit is missing or does not fit the type"),
        (#""count":1250"#, #""value":2,"type":"heartRate","unit":"km""#, "unit is missing or does not fit the type"),
        (#""count":1250"#, #""type":"heartRate","unit":"bpm""#, "value is missing"),
        (#""count":1250"#, #""type":"sleepAnalysis","value":"snoring""#, "value is not a known state of the type"),
        ("2024-01-15T08", "2024-02-30T08", "startDate is not an RFC 3339 time"),
        ("2024-01-15T08:00:00Z", "2024-01-15 08:00:00", "startDate is not an RFC 3339 time"),
        ("2024-01-15T08", "1899-01-15T08", "a year outside 1900–2200"),
        ("2024-01-15T09", "2201-01-15T09", "a year outside 1900–2200"),
        ("2024-01-15T09", "2024-01-15T07", "the end is before the start"),
        (#""endDate""#, #""enddate""#, "endDate is missing"),
        (#""startDate""#, #""start""#, "startDate is missing"),
        (#""sourceBundleId""#, #""source""#, "sourceBundleId is missing"),
        ("550E8400-E29B", "550E8400-G29B", "uuid is not a UUID"),
    ])
    func rejectsWithReasonAndOffset(part: String, replacement: String, reason: String) async throws {
        let bad = steps.replacingOccurrences(of: part, with: replacement)
        try #require(bad != steps)
        let reading = try await read("\(steps)\n\(bad)\n\(steps)\n")
        #expect(reading.samples.count == 2)
        #expect(reading.account.rejected == [reason: 1])
        #expect(reading.account.problems.map(\.byteOffset) == [Int64(steps.utf8.count + 1)])
        #expect(reading.account.recordsRead == 3)
    }

    @Test func invalidLinesAreRejectedOneByOne() async throws {
        let deep = String(repeating: "[", count: 1_000_000)
        let hostile: [[UInt8]] = [
            Array(deep.utf8), Array((#"{"a":"# + deep).utf8), [0xFF, 0xFE, 0x7B, 0x00], [0xC3, 0x28],
            [0x7B, 0, 0x7D, 0],
            Array(String(repeating: "x", count: 1_100_000).utf8), Array("[]".utf8), Array("7".utf8),
            Array(#"{"count":1"#.utf8) + Array(String(repeating: "0", count: 100_000).utf8) + [0x7D],
        ]
        var bytes = Array(steps.utf8) + [0x0A]
        for line in hostile { bytes += line + [0x0A] }
        let reading = try await read(bytes + Array(steps.utf8))
        #expect(reading.samples.count == 2)
        #expect(reading.account.rejected.values.reduce(0, +) == hostile.count)
        #expect(reading.account.rejected["line over 1 MiB"] == 1)
        #expect(reading.account.rejected["not UTF-8"] == 3)
        #expect(reading.account.isComplete)
    }

    @Test func byteOrderMarksBlankLinesAndCarriageReturnsAreSkipped() async throws {
        let reading = try await read([0xEF, 0xBB, 0xBF] + Array("\(steps)\r\n\r\n  \n\(steps)\r\n".utf8))
        #expect(reading.samples.count == 2)
        #expect(reading.account.recordsRead == 2)
        #expect(reading.account.problemCount == 0)
    }

    @Test func aTruncatedFileYieldsCompleteSamplesOnly() async throws {
        let whole = Array("\(steps)\n\(steps)".utf8)
        for length in 1..<whole.count {
            let reading = try await read(whole.prefix(length))
            let lineStart = length > steps.utf8.count ? steps.utf8.count + 1 : 0
            #expect(reading.samples.count == (length >= steps.utf8.count ? 1 : 0))
            let isBetweenLines = length == steps.utf8.count || length == steps.utf8.count + 1
            #expect(reading.account.incompleteAtByte == (isBetweenLines ? nil : Int64(lineStart)), "cut at \(length)")
            #expect(reading.account.rejected.isEmpty)
        }
    }

    @Test func mutatedLinesNeverCrashAndAlwaysAddUp() async throws {
        var generator = SeededGenerator(seed: 7)
        let lines = [steps, #"{"type":"heartRate","value":6.5e1,"unit":"bpm","minimum":1,"measurementCount":9}"#]
        var bytes: [UInt8] = Array(steps.utf8) + [0x0A]
        for number in 0..<5_000 {
            bytes += generator.mutate(Array(lines[number % lines.count].utf8))
            bytes.append(0x0A)
        }
        let reading = try await read(bytes)
        let account = reading.account
        #expect(account.rejected.count > 8)
        #expect(account.rejected.count < 100)
        #expect(
            account.recordsRead
                == reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +))
    }
}
