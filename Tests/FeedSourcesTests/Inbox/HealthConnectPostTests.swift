import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The samples of the apps that send Health Connect's records, derived by hand from their documentation.
@Suite struct HealthConnectPostTests {
    @Test func hcWebhookSendsListsByRecordType() async throws {
        let reading = try await Post.read(InboxPosts.hcWebhook())
        let app = "com.google.android.apps.fitness -"
        #expect(
            Set(reading.samples.map(\.line)) == [
                "stepCount 1240 count 2026-08-22T08:00:00Z 1800s \(app)",
                "sleepAnalysis 4  2026-08-22T02:00:00Z 3600s \(app)",
                "sleepAnalysis 3  2026-08-22T03:00:00Z 7200s \(app)",
                "heartRate 62 count/min 2026-08-22T08:05:00Z 0s \(app)",
                "heartRate 72.5 count/min 2026-08-22T09:00:00Z 0s Health Connect -",
                "bloodPressureSystolic 118 mmHg 2026-08-22T07:45:00Z 0s \(app)",
                "bloodPressureDiastolic 76 mmHg 2026-08-22T07:45:00Z 0s \(app)",
                "bodyFatPercentage 0.185 % 2026-08-22T07:30:00Z 0s \(app)",
                "heartRateVariabilityRMSSD 38.2 ms 2026-08-22T06:10:00Z 0s \(app)",
            ])
        let mean = try #require(reading.samples.first { $0.origin.isPreAggregated })
        #expect(mean.detail == SampleDetail(minimum: 60, maximum: 99))
        #expect(reading.samples.contains { $0.origin.device == "manufacturer:Google, model:Pixel Watch" })
        #expect(reading.account.skippedElements.isEmpty)
        #expect(reading.account.rejected.isEmpty)
    }

    @Test func theInventedRecordsOfATestAreNotImported() async throws {
        let post = try InboxPosts.hcWebhook()
        let text = String(decoding: post.body, as: UTF8.self).replacing(#""steps""#, with: #""test":true,"steps""#)
        let reading = try await Post.read(InboxPost(id: "test", head: post.head, body: Array(text.utf8)))
        #expect(reading.samples.isEmpty)
        #expect(reading.account.recordsRead == 0)
        #expect(reading.account.skippedElements == ["test": 1])
    }

    @Test func theSumOfADayIsMarkedAsPreAggregated() async throws {
        let post = try Post.make(
            #"{"timestamp":"2026-08-22T22:00:00Z","app_version":"2","steps":[{"count":8432,"#
                + #""start_time":"2026-08-22T00:00:00Z","end_time":"2026-08-22T22:00:00Z"},{"count":12,"#
                + #""start_time":"2026-08-22T08:00:00Z","end_time":"2026-08-22T08:10:00Z"}]}"#)
        let samples = try await Post.read(post).samples
        #expect(samples.map(\.origin.isPreAggregated) == [true, false])
        #expect(samples.map(\.origin.sourceName) == ["Health Connect", "Health Connect"])
    }

    @Test func aNightWithoutStagesIsSleepWithoutStages() async throws {
        let post = try Post.make(
            #"{"timestamp":"t","sleep":[{"session_end_time":"2026-08-22T05:00:00Z","duration_seconds":10800,"#
                + #""stages":[]},{"session_end_time":"2026-08-22T05:00:00Z"}]}"#)
        let reading = try await Post.read(post)
        #expect(
            reading.samples.map(\.line) == ["sleepAnalysis 1  2026-08-22T02:00:00Z 10800s Health Connect -"])
        #expect(reading.account.rejected == ["a session without a plausible length": 1])
    }

    // HC Webhook: `stage.stage.toString()`. Open Wearables for iOS: HealthKit's cases. Values: HKCategoryValueSleepAnalysis.
    @Test(arguments: [
        ("1", 2), ("2", 1), ("3", 2), ("4", 3), ("5", 4), ("6", 5), ("7", 2), ("0", 1), ("out_of_bed", 2),
        ("awake_in_bed", 2), ("asleepCore", 3), ("asleepDeep", 4), ("asleepREM", 5), ("asleepUnspecified", 1),
        ("inBed", 0), ("LIGHT", 3),
    ]) func aStageIsGivenByNameOrByNumberInText(stage: String, value: Int) async throws {
        let reading = try await Post.read(
            try Post.make(
                #"{"timestamp":"t","sleep":[{"session_end_time":"2026-08-22T05:00:00Z","duration_seconds":3600,"stages":["#
                    + #"{"stage":"\#(stage)","start_time":"2026-08-22T04:00:00Z","end_time":"2026-08-22T05:00:00Z"},"#
                    + #"{"stage":"8","start_time":"2026-08-22T04:00:00Z","end_time":"2026-08-22T05:00:00Z"},"#
                    + #"{"stage":"-1","start_time":"2026-08-22T04:00:00Z","end_time":"2026-08-22T05:00:00Z"}]}]}"#))
        #expect(
            reading.samples.map(\.line) == ["sleepAnalysis \(value)  2026-08-22T04:00:00Z 3600s Health Connect -"])
        #expect(reading.account.rejected == ["an unknown sleep state": 2])
    }

    @Test func theCompanionSendsIdentifiersAndDeletions() async throws {
        let reading = try await Post.read(InboxPosts.companion())
        let pulse = "0f7c0000-0000-4000-8000-000000000002"
        // The day of the post, and its number.
        let version = 20_687 << 32 + Int64(41)
        #expect(
            Set(reading.samples.map(\.line)) == [
                "stepCount 1234 count 2026-08-22T08:00:00Z 3600s com.zepp.app 0f7c0000-0000-4000-8000-000000000001",
                "heartRate 72 count/min 2026-08-22T10:30:00Z 0s com.zepp.app \(pulse)#1787394600000",
                "heartRate 74 count/min 2026-08-22T10:31:00Z 0s com.zepp.app \(pulse)#1787394660000",
            ])
        #expect(
            reading.account.deletions == [
                DeletedSample(externalID: "0f7c0000-0000-4000-8000-000000000e91", version: version),
                DeletedSample(
                    externalID: "0f7c0000-0000-4000-8000-000000000e92", type: SampleTypeDefinition.stepCount.type,
                    version: version),
            ])
        #expect(Set(reading.samples.map(\.detail?.syncVersion)) == [version])
        #expect(reading.account.deliveries == [DeliveryNumber(series: "lifeDashboard/phone", number: 41)])
        #expect(reading.account.windows.isEmpty)
        #expect(reading.account.skippedElements == ["daily_totals": 1])
    }

    @Test func aCompanionPostOfDeletionsOnlyIsDecoded() async throws {
        let post = try Post.make(
            #"{"timestamp":"2026-08-22T22:00:00Z","source":"health_connect","sequence":42,"#
                + #""deleted_records":[{"type":"weight","uuid":"u"}],"deletions_unavailable":["sleep"]}"#)
        let account = try await Post.read(post).account
        #expect(
            account.deletions == [
                DeletedSample(
                    externalID: "u", type: SampleType(rawValue: "HKQuantityTypeIdentifierBodyMass"),
                    version: 20_687 << 32 + 42)
            ])
        #expect(account.problems.map(\.what) == ["the app does not know what was deleted of sleep"])
    }

    /// The versions of a record increase with the day, and on one day with the number of the post, which begins again
    /// when the app is installed again. All samples of a post have its version.
    @Test func recordsOfALaterPostHaveAHigherVersion() async throws {
        var versions: [Int64] = []
        for (time, sequence) in [("2026-08-21T07:00:00Z", 7), ("2026-08-21T06:00:00Z", 8), ("2026-08-22T01:00:00Z", 1)]
        {
            let post = try Post.make(
                #"{"timestamp":"\#(time)","source":"health_connect","sequence":\#(sequence),"steps":[{"count":9,"#
                    + #""start_time":"2026-08-20T08:00:00Z","end_time":"2026-08-20T08:10:00Z","uuid":"a"}],"heart_rate":"#
                    + #"[{"bpm":72,"time":"2026-08-20T10:30:00Z","uuid":"b"}]}"#)
            let samples = try await Post.read(post).samples
            #expect(samples.count == 2)
            #expect(Set(samples.map(\.detail?.syncVersion)).count == 1)
            versions += samples.prefix(1).compactMap(\.detail?.syncVersion)
        }
        #expect(versions.count == 3 && versions == versions.sorted() && Set(versions).count == 3)
    }

    private func window(_ steps: Int, isComplete: Bool, diagnosed: String) throws -> InboxPost {
        let records = (0..<steps).map { index in
            #"{"count":1,"start_time":"2026-08-22T0\#(index):00:00Z","end_time":"2026-08-22T0\#(index):10:00Z","#
                + #""uuid":"\#(isComplete)\#(index)","source":"a"}"#
        }
        return try Post.make(
            #"{"timestamp":"2026-08-22T22:00:00Z","source":"health_connect","backfill":true,"sequence":\#(isComplete ? 9 : 8),"#
                + #""window_start":"2026-08-20T00:00:00Z","#
                + #""window_end":"2026-08-23T00:00:00Z","window_complete":\#(isComplete),"#
                + #""steps":[\#(records.joined(separator: ","))],"_diagnostics":{\#(diagnosed)}}"#)
    }

    /// The windows that the posts prove complete, read on their own.
    private func windows(_ posts: InboxPost...) async throws -> [CompleteWindow] {
        var parts: [WindowPart] = []
        for post in posts { parts += try await Post.read(post).account.windowParts }
        return WindowPart.complete(parts)
    }

    @Test func aCompleteWindowCoversTheTypesThatWereReadWhole() async throws {
        let post = try window(
            2, isComplete: true,
            diagnosed: #""steps":{"permission_granted":true,"raw_record_count":2,"error":null},"#
                + #""sleep":{"permission_granted":true,"raw_record_count":0,"error":null},"#
                + #""weight":{"permission_granted":false,"raw_record_count":0,"error":null},"#
                + #""height":{"permission_granted":true,"raw_record_count":0,"error":"quota"}"#)
        let windows = try await windows(post)
        #expect(
            windows.map(\.types) == [[SampleTypeDefinition.stepCount.type, SampleTypeDefinition.sleepAnalysis.type]])
        #expect(windows.map { RFC3339.string($0.start) } == ["2026-08-20T00:00:00Z"])
        #expect(windows.map { RFC3339.string($0.end) } == ["2026-08-23T00:00:00Z"])
        #expect(windows.map { RFC3339.string($0.date) } == ["2026-08-22T22:00:00Z"])
    }

    @Test func aWindowOfWhichAPartIsMissingIsNotComplete() async throws {
        let read = #""steps":{"permission_granted":true,"raw_record_count":5,"error":null}"#
        let (first, last) = (
            try window(3, isComplete: false, diagnosed: read), try window(2, isComplete: true, diagnosed: read)
        )
        let windows = (
            first: try await windows(first), last: try await windows(last), both: try await windows(last, first)
        )
        #expect(windows.first.isEmpty && windows.last.isEmpty)
        #expect(windows.both.count == 1)
    }

    /// A post delivered twice does not replace a part that is missing, and what one post delivered
    /// (`filtered_record_count`) is no proof that the window is whole.
    @Test(arguments: [
        #""steps":{"permission_granted":true,"raw_record_count":4,"filtered_record_count":2,"error":null}"#,
        #""steps":{"permission_granted":true,"filtered_record_count":2,"error":null}"#,
        #""steps":{"permission_granted":true,"page_count":1,"error":null}"#, "",
    ])
    func aWindowWithoutProofThatItIsWholeDeletesNothing(diagnosed: String) async throws {
        let last = try window(2, isComplete: true, diagnosed: diagnosed)
        #expect(try await windows(last).isEmpty)
        let again = try window(2, isComplete: false, diagnosed: diagnosed)
        #expect(try await windows(again, again).isEmpty)
        #expect(try await windows(last, last).isEmpty)
    }

    @Test func aWindowOfTheCompanionIsSummedByWindow() async throws {
        let post = try Post.make(
            #"{"timestamp":"t","source":"health_connect","_resolutions":{"heart_rate":"1m"},"heart_rate":[{"#
                + #""bucket_start":"2026-08-22T08:00:00Z","bucket_end":"2026-08-22T08:01:00Z","sample_count":58,"avg":72.4,"#
                + #""min":66,"max":81,"sources":["com.garmin"]}],"steps":[{"bucket_start":"2026-08-22T08:00:00Z","#
                + #""bucket_end":"2026-08-22T09:00:00Z","sample_count":12,"total":1840}]}"#)
        let samples = try await Post.read(post).samples
        #expect(
            Set(samples.map(\.line)) == [
                "heartRate 72.4 count/min 2026-08-22T08:00:00Z 60s Health Connect -",
                "stepCount 1840 count 2026-08-22T08:00:00Z 3600s Health Connect -",
            ])
        #expect(!samples.map(\.origin.isPreAggregated).contains(false))
        let pulse = try #require(samples.first { $0.unit == "count/min" })
        #expect(pulse.detail?.syncVersion != nil)
        #expect(pulse.detail?.minimum == 66 && pulse.detail?.maximum == 81 && pulse.detail?.measurementCount == 58)
    }

    @Test func hcGatewaySendsTheRecordsOfItsLibrary() async throws {
        let meal = try await Post.read(InboxPosts.hcGateway())
        let id = "2026-08-22T12:30:00Z 1800s com.example.meals c0de0000-0000-4000-8000-000000000001"
        #expect(
            Set(meal.samples.map(\.line)) == [
                "dietaryEnergyConsumed 620 kcal \(id)", "dietaryProtein 40 g \(id)",
            ])
        #expect(!meal.samples.map(\.origin.isUserEntered).contains(false))

        let pulse = try await Post.read(
            InboxPosts.hcGateway(
                "HeartRate",
                #"{"metadata":{"id":"r","dataOrigin":"a"},"startTime":"2026-08-22T08:00:00Z","#
                    + #""endTime":"2026-08-22T08:02:00Z","samples":[{"time":"2026-08-22T08:00:00Z","beatsPerMinute":60},"#
                    + #"{"time":"2026-08-22T08:01:00Z","beatsPerMinute":62}]}"#))
        #expect(
            pulse.samples.map(\.line) == [
                "heartRate 60 count/min 2026-08-22T08:00:00Z 0s a r#1787385600000",
                "heartRate 62 count/min 2026-08-22T08:01:00Z 0s a r#1787385660000",
            ])

        let night = try await Post.read(
            InboxPosts.hcGateway(
                "SleepSession",
                #"{"metadata":{"id":"n","dataOrigin":"a"},"startTime":"2026-08-22T00:00:00Z","#
                    + #""endTime":"2026-08-22T02:00:00Z","stages":[{"startTime":"2026-08-22T00:00:00Z","#
                    + #""endTime":"2026-08-22T01:00:00Z","stage":6},{"startTime":"2026-08-22T01:00:00Z","#
                    + #""endTime":"2026-08-22T02:00:00Z","stage":9}]}"#))
        #expect(night.samples.map(\.line) == ["sleepAnalysis 5  2026-08-22T00:00:00Z 3600s a n#1787356800000"])
        #expect(night.account.rejected == ["an unknown sleep state": 1])
    }

    @Test func hcGatewayDeletesByIdentifier() async throws {
        let post = try Post.make(["api", "v2", "sync", "Steps"], method: "DELETE", #"{"uuid":["u1","u2"]}"#)
        let one = try Post.make(["api", "v2", "sync", "BloodPressure"], method: "DELETE", #"{"uuid":"u3"}"#)
        let account = try await Post.read(post, one).account
        #expect(account.deletions.map(\.externalID) == ["u1", "u2", "u3"])
        #expect(account.deletions.map { $0.type?.shortName } == ["stepCount", "stepCount", nil])
        #expect(account.recordsRead == 0)
    }
}
