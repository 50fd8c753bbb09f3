import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Testing

/// Posts of Shortcuts, scripts and the step app.
@Suite struct PlainPostTests {
    private let berlin = SourceContext(clock: DayClock(home: Self.rules))

    /// Two hours east of UTC.
    private static let rules = ZoneRules(statedOffset: "+02:00") ?? .utc

    private func text(_ body: String) throws -> InboxPost {
        try Post.make(headers: ["content-type": "text/plain"], body)
    }

    @Test func linesAreSamples() async throws {
        let post = try text(
            """
            type,start,end,value,unit,source
            stepCount,2026-08-22T08:00:00+02:00,2026-08-22T08:10:00+02:00,321,count,iPhone
            Heart Rate,2026-08-22T08:00:00Z,,61.5,bpm
            Walking + Running Distance,2026-08-22T08:00:00Z,2026-08-22T09:00:00Z,2.5,km
            Sleep,2026-08-22 01:00:00,2026-08-22 02:00,REM,
            weight;2026-08-22T08:00:00Z;;72,5;kg;"My; scale"
            Mood,2026-08-22T08:00:00Z,,1,
            stepCount,2026-08-22T08:00:00Z,,many,count
            """)
        let reading = try await Post.read(post, in: berlin)
        #expect(
            reading.samples.map(\.line) == [
                "stepCount 321 count 2026-08-22T06:00:00Z 600s iPhone -",
                "heartRate 61.5 count/min 2026-08-22T08:00:00Z 0s Shortcuts -",
                "distanceWalkingRunning 2.5 km 2026-08-22T08:00:00Z 3600s Shortcuts -",
                "sleepAnalysis 5  2026-08-21T23:00:00Z 3600s Shortcuts -",
                "bodyMass 72.5 kg 2026-08-22T08:00:00Z 0s My; scale -",
            ])
        #expect(reading.account.rejected == ["an unknown type": 1, "the value is not a number": 1])
        #expect(reading.account.statedOffsets.map(\.seconds) == [7200])
    }

    /// `curl -d` and `--data-binary` state the type of a form whatever the body is.
    @Test(arguments: [
        "stepCount,2026-08-22T08:00:00Z,2026-08-22T08:10:00Z,321,count",
        "type,start,end,value,unit\nstepCount,2026-08-22T08:00:00Z,2026-08-22T08:10:00Z,321,count\n",
        "Step Count;2026-08-22T08:00:00Z;2026-08-22T08:10:00Z;321;count;A&B=C",
        #"{"type":"stepCount","start":"2026-08-22T08:00:00Z","end":"2026-08-22T08:10:00Z","value":321}"#,
        #"[{"type":"stepCount","startDate":"2026-08-22T08:00:00Z","endDate":"2026-08-22T08:10:00Z","value":321,"unit":"count","sourceBundleId":"a"}]"#,
        "type=stepCount&start=2026-08-22T08:00:00Z&end=2026-08-22T08:10:00Z&value=321",
    ])
    func theContentDecidesAndNotItsType(body: String) async throws {
        for type in ["application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-8"] {
            let reading = try await Post.read(Post.make(headers: ["content-type": type], body))
            #expect(reading.samples.map(\.value) == [321])
        }
    }

    @Test func formFieldsAreSamples() async throws {
        let one = try Post.make(
            headers: ["content-type": "application/x-www-form-urlencoded"],
            "type=Heart+Rate&start=2026-08-22T08%3A00%3A00%2B02%3A00&value=61&unit=count%2Fmin")
        let many = try Post.make(
            headers: ["content-type": "multipart/form-data; boundary=B"],
            """
            --B\r
            Content-Disposition: form-data; name="type"\r
            \r
            stepCount\r
            --B\r
            Content-Disposition: form-data; name="start"\r
            \r
            2026-08-22T08:00:00Z
            2026-08-22T09:00:00Z\r
            --B\r
            Content-Disposition: form-data; name="value"\r
            \r
            10
            20\r
            --B--\r

            """)
        let (single, several) = (try await Post.read(one).samples, try await Post.read(many).samples)
        #expect(single.map(\.line) == ["heartRate 61 count/min 2026-08-22T06:00:00Z 0s Shortcuts -"])
        #expect(
            several.map(\.line) == [
                "stepCount 10 count 2026-08-22T08:00:00Z 0s Shortcuts -",
                "stepCount 20 count 2026-08-22T09:00:00Z 0s Shortcuts -",
            ])
    }

    @Test func objectsAreSamplesInEveryArrangement() async throws {
        let line =
            #"{"startDate":"2026-08-22T08:00:00Z","endDate":"2026-08-22T09:00:00Z","count":7,"sourceBundleId":"s"}"#
        let short =
            #"{"type":"steps","start":"2026-08-22T08:00:00Z","end":"2026-08-22T09:00:00Z","value":7,"source":"s"}"#
        for sample in [line, short] {
            for body in [sample, "\(sample)\n", "[\(sample)]", #"{"samples": [\#(sample)]}"#] {
                let reading = try await Post.read(try Post.make(body))
                #expect(
                    reading.samples.map(\.line) == ["stepCount 7 count 2026-08-22T08:00:00Z 3600s s -"], "\(body)")
            }
        }
    }

    @Test(arguments: ["hello", "<html></html>", "1,2,3,4", #"{"hello":1}"#, "", "[]", "null", "{}", "\u{0}"])
    func otherBodiesBelongToNoApp(_ body: String) throws {
        let post = try text(body)
        #expect(!Post.all.contains { $0.recognizes(post.head, start: post.body[...]) })
    }

    @Test func theStepAppSendsAndDeletes() async throws {
        let reading = try await Post.read(InboxPosts.steps())
        #expect(
            reading.samples.map(\.line) == [
                "stepCount 1250 count 2026-08-22T08:00:00Z 3600s com.apple.health "
                    + "550e8400-e29b-41d4-a716-446655440000"
            ])
        #expect(reading.samples.map(\.origin.device) == ["iPhone 15"])
        #expect(reading.account.rejected == ["the end is before the start": 1])
        let deletion = try await Post.read(Post.make(["steps"], method: "DELETE", ""))
        #expect(deletion.samples.isEmpty)
        #expect(deletion.account.windows.map(\.types) == [[SampleTypeDefinition.stepCount.type]])
        #expect(
            deletion.account.windows.allSatisfy {
                $0.start < Instant(seconds: 0) && $0.end > Instant(seconds: 4_000_000_000)
            })
    }

    /// The local times of a year against Foundation, in a zone with daylight saving time.
    @Test func aLocalTimeIsInTheUsersZone() async throws {
        let clock = DayClock(home: try SystemClock().zoneRules(named: "Europe/Berlin"))
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "Europe/Berlin")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        let instants = (0..<8_784).map { Instant(seconds: 1_767_225_600 + $0 * 3_600) }
        let lines = instants.map { instant in
            "stepCount,\(format.string(from: Date(timeIntervalSince1970: TimeInterval(instant.seconds)))),,1,count"
        }
        let reading = try await Post.read(
            try text(lines.joined(separator: "\n")), in: SourceContext(clock: clock))
        // The hour that the clock shows twice is taken as the first one.
        let expected = instants.map { instant in
            clock.showsTwice(instant) && clock.showsTwice(instant.advanced(bySeconds: -3600))
                ? instant.advanced(bySeconds: -3600) : instant
        }
        #expect(reading.samples.map(\.interval.start) == expected)
        #expect(Set(expected).count == expected.count - 1)
    }
}
