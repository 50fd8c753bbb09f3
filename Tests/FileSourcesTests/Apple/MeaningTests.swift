import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The interpretation of the attributes and metadata of a record.
@Suite struct MeaningTests {
    private static let quantity = "HKQuantityTypeIdentifier"

    @Test(arguments: [
        ("DistanceWalkingRunning", "mi", "1", 1.609344), ("DistanceWalkingRunning", "m", "250", 0.25),
        ("ActiveEnergyBurned", "kJ", "4.184", 1), ("ActiveEnergyBurned", "Cal", "12.5", 12.5),
        ("BodyMass", "lb", "100", 45.359237), ("HeartRate", "count/s", "1.25", 75),
        ("BodyTemperature", "degF", "98.6", 37), ("OxygenSaturation", "%", "0.97", 0.97),
        ("BloodGlucose", "mmol&lt;180.1558800000541&gt;/L", "5", 90.07794),
    ])
    func valuesAreConverted(type: String, unit: String, value: String, expected: Double) async throws {
        let reading = try await Exports.read(
            elements: Exports.record(Self.quantity + type, unit: unit, value: value))
        let sample = try #require(reading.samples.first, "\(reading.account)")
        #expect(abs(sample.value - expected) < 1e-9)
        #expect(sample.unit == SampleTypeTable.builtIn()[sample.type]?.unit)
    }

    @Test(arguments: [
        (Exports.record(unit: "km"), "unknown unit"), (Exports.record(value: "0x10"), "value is not a number"),
        (Exports.record(value: "inf"), "value is not a number"), (Exports.record(value: nil), "no value"),
        (Exports.record(start: "2023-02-29 08:00:00 +0200"), "missing or impossible date"),
        (Exports.record(end: "2024-01-15 07:59:59 +0200"), "end before start"),
        (Exports.record(start: "1601-01-01 00:00:00 +0000"), "year outside 1900–2200"),
        (
            Exports.record("HKCategoryTypeIdentifierSleepAnalysis", unit: nil, value: "HKCategoryValueNew"),
            "unknown category value"
        ),
        (
            Exports.record(extra: " endDate=\"2024-01-15 09:00:00 +0200\""),
            "attribute written twice with different values"
        ),
    ])
    func rejectionsHaveReasons(record: String, reason: String) async throws {
        let reading = try await Exports.read(elements: record + Exports.record())
        #expect(reading.account.rejected == [reason: 1])
        #expect(reading.samples.count == 1 && reading.account.isComplete)
    }

    @Test(arguments: [
        "0", "1", "120", "0.1", "72.3", "4503599627370497.5", "9007199254740993", "0.3333333333333333", "1e3",
        "4.5e-05",
        "1234567890123456.78901234567890", "0.00000179769313486231570000", "2.2250738585072014e-308", "5e-324", "-0.5",
        "00012.50",
    ])
    func numbersAreRoundedAsByTheLibrary(text: String) async throws {
        let reading = try await Exports.read(elements: Exports.record(value: text))
        #expect(reading.samples.map(\.value) == [try #require(Double(text))])
    }

    @Test func metadataIsInterpreted() async throws {
        func entry(_ key: String, _ value: String) -> String { "<MetadataEntry key=\"\(key)\" value=\"\(value)\"/>" }
        let children = [
            entry("HKTimeZone", "Asia/Tokyo"), entry("HKWasUserEntered", "1"), entry("HKMetadataKeySyncVersion", "3"),
            entry("HKExternalUUID", "A&amp;B"), entry("HKMetadataKeySyncIdentifier", "id&amp;7"),
        ]
        let reading = try await Exports.read(
            elements: "<ExportDate value=\"2024-06-01 10:00:00 +0200\"/>"
                + Exports.record(children: children.joined()) + Exports.record(children: children[3])
                + Exports.record(children: children[4])
                + Exports.record(unit: "count", value: "5"))
        let (first, second, third) = (reading.samples[0], reading.samples[1], reading.samples[3])
        #expect(first.zoneName == "Asia/Tokyo" && first.origin.isUserEntered)
        #expect(first.detail == SampleDetail(externalID: "id&7", syncVersion: 3))
        // Neither an external UUID nor an identifier without a version is an identity.
        #expect(
            second.detail == nil && reading.samples[2].detail == nil && !second.origin.isUserEntered
                && second.zoneName == nil)
        #expect(third.detail == nil)
        #expect(reading.account.exportDate == Instant(seconds: 1_717_228_800))
    }

    @Test(arguments: [
        "<MetadataEntry keyx=\"HKTimeZone\" value=\"Europe/Paris\"/>", "<MetadataEntry value=\"Europe/Paris\"/>",
        "<MetadataEntry key=\"HKTimeZone\"/>", "<MetadataEntry key=\"HKTimeZone\" valu=\"Europe/Paris\"/>",
        "<MetadataEntry/>",
    ])
    func metadataThatCannotBeReadIsReported(entry: String) async throws {
        // The second entry with the same bytes, too.
        let elements = (0..<2).map { _ in Exports.record(children: entry) }.joined()
        let reading = try await Exports.read(elements: elements)
        #expect(reading.samples.count == 2 && reading.samples.allSatisfy { $0.zoneName == nil })
        #expect(reading.account.problems.map(\.what) == ["metadata entry without a key or value, skipped"])
    }

    @Test func moreZonesThanExistAreReported() async throws {
        let records = (0..<66_000).map {
            Exports.record(value: "\($0 % 900)", children: "<MetadataEntry key=\"HKTimeZone\" value=\"Zone/\($0)\"/>")
        }
        let reading = try await Exports.read(elements: records.joined())
        #expect(reading.samples.count == 66_000)
        #expect(reading.account.problems.map(\.what) == ["too many time zones, the record is read without its zone"])
    }

    @Test func aggregatesKeepTheirDetails() async throws {
        let reading = try await Exports.read(
            elements: Exports.record(
                Self.quantity + "HeartRate", unit: "count/s", value: nil,
                extra: " min=\"1\" max=\"1.5\" average=\"1.25\" recordCount=\"12\""))
        let sample = try #require(reading.samples.first)
        #expect(sample.value == 75)
        #expect(sample.detail == SampleDetail(minimum: 60, maximum: 90, measurementCount: 12))
    }

    @Test func unselectedTypesAreCountedAndSkipped() async throws {
        let folder = try TemporaryFolder()
        let heart = Exports.record(Self.quantity + "HeartRate", unit: "count/min", value: "70", children: "<x/>")
        let path = try folder.write(Exports.document(heart + Exports.record() + heart), as: "export.xml")
        let reading = try await Exports.read(path, .init(types: [.stepCount]))
        #expect(reading.account.notSelected == 2 && reading.samples.count == 1)
        #expect(reading.account.notSelectedTypes == [Self.quantity + "HeartRate": 2])
    }
}
