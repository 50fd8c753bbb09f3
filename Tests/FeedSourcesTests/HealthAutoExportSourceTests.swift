import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct HealthAutoExportSourceTests {
    private static let selection = SampleSelection(types: [
        .stepCount, .heartRate, .sleepAnalysis, .activeEnergyBurned, .walkingRunningDistance, .exerciseTime,
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifierBodyMass"), .discrete, unit: "kg",
            factors: ["lb": 0.453_592_37]),
        SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifierBodyTemperature"), .discrete, unit: "degC",
            factors: ["degF": 5.0 / 9], offsets: ["degF": -160.0 / 9]),
        SampleTypeDefinition(SampleType(rawValue: "HKQuantityTypeIdentifierOxygenSaturation"), .discrete, unit: "%"),
    ])

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ path: String, _ selection: SampleSelection = selection) async throws -> CollectedReading {
        let clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        return try await CollectedReading.collect(
            HealthAutoExportSource(path: path, hasher: LibcryptoHasher(), clock: clock), selection)
    }

    private func read(metrics: String) async throws -> CollectedReading {
        try await read(folder.write(#"{"data":{"metrics":[\#(metrics)]}}"#, as: "HealthAutoExport-2024-01-15.json"))
    }

    @Test(arguments: [1, 2, 3]) func readsEveryFormAsWritten(seed: Int) async throws {
        _ = try await Peer.output(of: "feeds/write_feed.py", [folder.path, "\(seed)"])
        for number in 0..<24 {
            let path = folder.path + "/" + (number < 10 ? "0\(number)" : "\(number)")
            let reading = try await read(path)
            #expect(reading.account.problems.map(\.what) == [], "case \(number)")
            #expect(reading.account.isComplete)
            var read: [FeedTruth.Key: FeedTruth] = [:]
            for sample in reading.samples { read[FeedTruth(sample).key] = FeedTruth(sample) }
            let truth = try JSONDecoder().decode(
                [FeedTruth].self, from: Data(contentsOf: URL(fileURLWithPath: path + ".truth")))
            let missing = truth.filter { expected in !(read[expected.key]?.isSame(as: expected) ?? false) }
            #expect(missing.isEmpty, "case \(number): \(missing.count) of \(truth.count), such as \(missing.prefix(1))")
            #expect(read.count == truth.count, "case \(number)")
        }
    }

    @Test("A type that is not selected by name has its built-in unit or is rejected") func unitsOfOtherTypes()
        async throws
    {
        let path = try folder.write(
            #"{"data":{"metrics":["#
                + [("weight_body_mass", "lb", 100), ("body_temperature", "degF", 98.6), ("height", "bananas", 2)].map {
                    #"{"name":"\#($0.0)","units":"\#($0.1)","data":[{"date":"2024-01-02 07:04:07 +0100","qty":\#($0.2)}]}"#
                }.joined(separator: ",") + "]}}", as: "all.json")
        let lines = try folder.write(
            #"{"startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:00:00Z","sourceBundleId":"s","#
                + #""type":"bodyMass","value":100,"unit":"lb"}"#, as: "all.jsonl")
        let all = SampleSelection(types: [], includesOtherTypes: true)
        let feed = try await read(path, all)
        let sources = [
            feed, try await CollectedReading.collect(JSONLinesSource(path: lines, hasher: LibcryptoHasher()), all),
        ]
        let read = sources.flatMap(\.samples).map {
            "\($0.type.shortName) \(($0.value * 1e6).rounded() / 1e6) \($0.unit)"
        }
        #expect(read == ["bodyMass 45.359237 kg", "bodyTemperature 37.0 degC", "bodyMass 45.359237 kg"])
        #expect(feed.account.rejected == ["the unit is missing or does not fit the type": 1])
    }

    @Test(arguments: [
        #"{}"#, #"{"data":{}}"#, #"{"data":{"metrics":[]}}"#, #"{"data":{"workouts":[]}}"#,
        #"{"data":{"metrics":[{"name":"step_count"}]}}"#, #"{"data":{"metrics":[{}]}}"#, #"{"data":null}"#,
        #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[]}]}}"#,
    ])
    func everyMemberIsOptional(text: String) async throws {
        let reading = try await read(folder.write(text, as: "HealthAutoExport-2024-01-15.json"))
        #expect(reading.samples.isEmpty)
        #expect(reading.account == SourceReading())
    }

    @Test func countsListsOtherThanMetrics() async throws {
        let day = #"{"data":{"workouts":[{"a":[{}]},{"b":1}],"metrics":[],"ecg":[1],"symptoms":[],"cycleTracking":{}}}"#
        _ = try folder.write(day, as: "HealthAutoExport-2024-01-15.json")
        _ = try folder.write(#"{"data":{"workouts":[{}]}}"#, as: "HealthAutoExport-2024-01-16.json")
        let account = try await read(folder.path).account
        #expect(account.skippedElements == ["workouts": 3, "ecg": 1])
        #expect(account.recordsRead == 0)
        #expect(account.isComplete)
        #expect(account.problemCount == 0)
    }

    @Test(arguments: [
        (#"{"qty":5}"#, "an entry without a date"),
        (#"{"date":"2024-01-15 08:00:00 +0100"}"#, "an entry without a value"),
        (#"{"date":"2024-02-30 08:00:00 +0100","qty":5}"#, "an invalid date"),
        (#"{"date":"2024-01-15 08:00:00","qty":5}"#, "an invalid date"),
        (#"{"date":"2024-01-15 13:00:00 PM +0100","qty":5}"#, "an invalid date"),
        (#"{"date":"1824-01-15 08:00:00 +0100","qty":5}"#, "a year outside 1900–2200"),
        (#"{"date":"2024-01-15 08:00:00 +0100","qty":"5"}"#, "qty is not a number"),
        (#"{"date":"2024-01-15 08:00:00 +0100","qty":NaN}"#, "not valid JSON"),
        (#"{"date":"2024-01-15 08:00:00 +0100","qty":1e999}"#, "not valid JSON"),
        (#"[1,2]"#, "not a JSON object"), (#"oops"#, "not valid JSON"),
    ])
    func anInvalidEntryIsRejectedSeparately(entry: String, reason: String) async throws {
        let good = #"{"date":"2024-01-15 09:00:00 +0100","qty":7}"#
        let before = #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(good),"#
        let reading = try await read(folder.write("\(before)\(entry),\(good)]}]}}", as: "one.json"))
        #expect(reading.samples.map(\.value) == [7, 7])
        #expect(reading.account.rejected == [reason: 1])
        #expect(reading.account.recordsRead == 3)
        #expect(reading.account.problems.map(\.byteOffset) == [Int64(before.utf8.count)])
    }

    @Test func unsuitableUnitsAreRejectedAndUnknownMetricsReported() async throws {
        let datum = #"{"date":"2024-01-15 09:00:00 +0100","qty":7}"#
        let reading = try await read(
            metrics: """
                {"name":"weight_body_mass","units":"degC","data":[\(datum)]},
                {"name":"active_energy","data":[\(datum)]},
                {"name":"toothbrushing","units":"s","data":[\(datum),\(datum)]}
                """)
        #expect(reading.account.rejected == ["the unit is missing or does not fit the type": 2])
        #expect(reading.account.notSelected == 2 && reading.account.notSelectedTypes == ["toothbrushing": 2])
        #expect(reading.account.problems.map(\.what).contains("unknown metric skipped: toothbrushing"))
    }

    @Test func minutesOfMindfulnessAreSessions() async throws {
        let text = """
            {"data":{"metrics":[{"name":"mindful_minutes","units":"min","data":[
            {"date":"2024-01-15 09:00:00 +0100","qty":7.5,"source":"Calm"},
            {"date":"2024-01-15 10:00:00 +0100","start":"2024-01-15 10:00:05 +0100",
            "end":"2024-01-15 10:20:05 +0100","qty":20,"source":"Calm"},
            {"date":"2024-01-15 11:00:00 +0100","source":"Calm"},
            {"date":"2024-01-15 12:00:00 +0100","qty":1440.5}]}]}}
            """
        let path = try folder.write(text, as: "mindful.json")
        let reading = try await read(path, SampleSelection(types: [], includesOtherTypes: true))
        #expect(
            reading.samples.map(\.line) == [
                "mindfulSession 0  2024-01-15T08:00:00Z 450s Calm -",
                "mindfulSession 0  2024-01-15T09:00:05Z 1200s Calm -",
            ])
        #expect(reading.account.rejected == ["an entry without a value": 2])
        let unselected = try await read(path)
        #expect(unselected.account.notSelected == 4 && unselected.samples.isEmpty)
        #expect(unselected.account.notSelectedTypes == ["HKCategoryTypeIdentifierMindfulSession": 4])
    }

    @Test func aGrowingNightKeepsItsIdentity() async throws {
        func night(_ end: String, _ core: Double) -> String {
            #"{"core":\#(core),"sleepStart":"2024-01-14 23:00:00 +0100","sleepEnd":"2024-01-15 \#(end) +0100"}"#
        }
        func metrics(_ entries: String) -> String { #"{"name":"sleep_analysis","units":"hr","data":[\#(entries)]}"# }
        let nap = #"{"rem":0.5,"sleepStart":"2024-01-15 14:00:00 +0100","sleepEnd":"2024-01-15 14:30:00 +0100"}"#
        let early = try #require(try await read(metrics: metrics(night("05:00:00", 4))).samples.first)
        let late = try #require(try await read(metrics: metrics(night("07:00:00", 6))).samples.first)
        #expect(early.detail?.externalID == late.detail?.externalID)
        #expect(early.interval != late.interval)
        #expect((early.detail?.syncVersion ?? .max) < (late.detail?.syncVersion ?? .min))
        let both = try await read(metrics: metrics(night("05:00:00", 4) + "," + nap))
        #expect(Set(both.samples.map { $0.detail?.externalID }).count == 2)
    }

    @Test func rawSumsKeepTheirOwnTimeAndSource() async throws {
        let raw =
            #"{"date":"2024-01-15 09:00:13 +0100","start":"2024-01-15 09:00:13 +0100","end":"2024-01-15 09:04:41 +0100","qty":7,"source":"iPhone"}"#
        let reading = try await read(metrics: #"{"name":"step_count","units":"count","data":[\#(raw)]}"#)
        let sample = try #require(reading.samples.first)
        #expect(sample.origin == SampleOrigin(sourceName: "iPhone"))
        #expect(sample.interval.milliseconds == 268_000)
    }
}
