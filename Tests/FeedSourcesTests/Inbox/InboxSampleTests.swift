import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The samples of one post of each app, derived by hand from the app's documentation.
@Suite struct InboxSampleTests {
    @Test func hozzSendsSamplesWithHealthKitsIdentifiers() async throws {
        let reading = try await Post.read(InboxPosts.hozz())
        #expect(
            reading.samples.map(\.line) == [
                "heartRate 62.5 count/min 2026-08-22T21:10:46.500Z 0s Brandon’s Apple Watch "
                    + "2f1a0000-0000-4000-8000-000000000001",
                "stepCount 120 count 2026-08-22T21:10:00Z 600s Brandon’s Apple Watch "
                    + "2f1a0000-0000-4000-8000-000000000002",
                "sleepAnalysis 5  2026-08-22T04:00:00Z 1800s Brandon’s Apple Watch "
                    + "2f1a0000-0000-4000-8000-000000000003",
            ])
        let device = "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1"
        #expect(reading.samples.map(\.origin.device) == [device, "", ""])
        #expect(reading.samples.map(\.origin.isUserEntered) == [false, true, false])
        #expect(reading.samples.map(\.zoneName) == ["Europe/London", nil, nil])
        let deleted = DeletedSample(
            externalID: "9c400000-0000-4000-8000-000000000009", type: SampleTypeDefinition.stepCount.type)
        #expect(reading.account.deletions == [deleted])
        #expect(reading.account.deliveries == [DeliveryNumber(series: "hozz/d1", number: 17)])
        #expect(reading.account.skippedElements == ["typeCoverage": 1, "workout": 1])
        #expect(reading.account.problemCount == 0)
    }

    @Test func hozzSendsAnArrayToo() async throws {
        let lines = try InboxPosts.hozz()
        let text = String(decoding: lines.body, as: UTF8.self).split(separator: "\n").joined(separator: ",\n")
        let array = InboxPost(id: "array", head: lines.head, body: Array("[\n\(text)\n]".utf8))
        let reading = try await Post.read(array)
        let expected = try await Post.read(lines)
        #expect(reading.counted == expected.counted)
        #expect(reading.account.deletions.count == 1)
    }

    @Test func hozzRejectsWhatItCannotUseAndReportsMissingRecords() async throws {
        var post = try InboxPosts.hozz()
        let more = [
            #"{"kind":"sampleEncodingError","id":"x","type":"HKQuantityTypeIdentifierStepCount","message":"m"}"#,
            #"{"kind":"quantity","id":"y","type":"HKQuantityTypeIdentifierStepCount","quantity":{"unit":"kg","value":1},"#
                + #""startDate":"2026-08-22T04:00:00Z","endDate":"2026-08-22T04:00:00Z"}"#,
            #"{"kind":"quantity","id":"z","type":"HKQuantityTypeIdentifierStepCount","quantity":{"unit":"count","value":1},"#
                + #""startDate":"noon","endDate":"2026-08-22T04:00:00Z"}"#,
            "{broken", "[]",
        ]
        post.body += Array(more.joined(separator: "\n").utf8)
        let account = try await Post.read(post).account
        #expect(
            account.rejected == [
                "a sample that the app could not encode": 1, "the unit does not fit the type": 1,
                "an invalid time": 1, "not valid JSON": 1, "a record without a kind": 1,
            ])
        #expect(account.recordsRead == 8)
        #expect(account.problems.contains { $0.what.contains("announced 6 records, and the post contains 11") })
    }

    @Test func healthAutoExportSendsBucketsWithItsOwnOffset() async throws {
        let reading = try await Post.read(InboxPosts.healthAutoExport())
        #expect(
            reading.samples.map(\.line) == [
                "stepCount 60 count 2026-08-22T06:00:00Z 60s Health Auto Export -",
                "stepCount 71 count 2026-08-22T06:01:00Z 60s Health Auto Export -",
                "heartRate 62.5 count/min 2026-08-22T06:00:30Z 0s Anna’s Apple Watch -",
            ])
        #expect(reading.samples.map(\.zoneName) == ["+02:00", "+02:00", nil])
        #expect(reading.account.statedOffsets.map(\.seconds) == [7200])
        #expect(reading.account.skippedElements == ["workouts": 1])
    }

    @Test func openWearablesSendsRecordsAndStages() async throws {
        let reading = try await Post.read(InboxPosts.openWearables())
        #expect(
            Set(reading.samples.map(\.line)) == [
                "stepCount 321 count 2026-08-22T08:00:00Z 600s Anna’s Apple Watch "
                    + "a1b20000-0000-4000-8000-000000000001",
                "oxygenSaturation 0.98 % 2026-08-22T08:00:00Z 0s Anna’s Apple Watch "
                    + "a1b20000-0000-4000-8000-000000000002",
                "sleepAnalysis 3  2026-08-22T02:00:00Z 3600s Anna’s Apple Watch "
                    + "a1b20000-0000-4000-8000-000000000003",
            ])
        let device = "name:Apple Watch, manufacturer:Apple Inc., hardware:Watch7,1"
        #expect(Set(reading.samples.map(\.origin.device)) == [device])
        #expect(reading.samples.filter(\.origin.isUserEntered).map(\.type.shortName) == ["oxygenSaturation"])
        #expect(reading.account.statedOffsets.map(\.seconds) == [7200])
        #expect(reading.account.skippedElements == ["workouts": 1])
    }

    @Test func openWearablesOnAndroidNamesHealthConnectsRecords() async throws {
        func record(_ id: String, _ type: String, _ value: String, _ unit: String) -> String {
            #"{"id":"\#(id)","type":"\#(type)","startDate":"2026-08-22T08:00:00Z","endDate":"2026-08-22T08:00:00Z","#
                + #""source":{"appId":"com.sec.android.app.shealth","deviceManufacturer":"Samsung","deviceModel":"SM-L315F","#
                + #""recordingMethod":"manual"},"value":\#(value),"unit":"\#(unit)"}"#
        }
        let records = [
            record("a-sys", "BLOOD_PRESSURE_SYSTOLIC", "118", "mmHg"), record("b", "BODY_FAT", "18.5", "%"),
            record("c", "VO2_MAX", "48", "mL/kg/min"), record("d", "BODY_TEMPERATURE", "36.5", "°C"),
            record("e", "HYDRATION", "350", "mL"), record("f", "BASAL_METABOLIC_RATE", "1700", "kcal/day"),
            record("g", "HEART_RATE", "61", "bpm"), record("h", "WEIGHT", "70", "stone"),
        ]
        let post = try Post.make(
            #"{"provider":"google","data":{"records":[\#(records.joined(separator: ","))],"sleep":[]}}"#)
        let reading = try await Post.read(post)
        let time = "2026-08-22T08:00:00Z 0s com.sec.android.app.shealth"
        #expect(
            Set(reading.samples.map(\.line)) == [
                "bloodPressureSystolic 118 mmHg \(time) a-sys", "bodyFatPercentage 0.185 % \(time) b",
                "vO2Max 48 mL/min·kg \(time) c", "bodyTemperature 36.5 degC \(time) d",
                "dietaryWater 350 mL \(time) e", "heartRate 61 count/min \(time) g",
            ])
        #expect(Set(reading.samples.map(\.origin.device)) == ["manufacturer:Samsung, model:SM-L315F"])
        #expect(!reading.samples.map(\.origin.isUserEntered).contains(false))
        #expect(reading.account.skippedElements == ["BASAL_METABOLIC_RATE": 1])
        #expect(reading.account.rejected == ["the unit does not fit the type": 1])
    }

    @Test func aSourceNameIsTheSameInAnExportAndInPosts() async throws {
        let hozz = try await Post.read(InboxPosts.hozz()).samples.map(\.origin.sourceName)
        let sdk = try await Post.read(InboxPosts.openWearables()).samples.map(\.origin.sourceName)
        #expect(Set(hozz) == ["Brandon’s Apple Watch"])
        #expect(Set(sdk) == ["Anna’s Apple Watch"])
    }
}
