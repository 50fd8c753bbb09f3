import Foundation
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

@Suite struct RecordEndpointTests {
    private static let stages =
        #"[{"stage":"core","start_time":"2024-01-14T23:00:00+01:00","end_time":"2024-01-15T02:00:00+01:00"},"#
        + #"{"stage":"asleep","start_time":"2024-01-15T01:00:00+01:00","end_time":"2024-01-15T05:00:00+01:00"},"#
        + #"{"stage":"awake","start_time":"2024-01-15T04:00:00+01:00","end_time":"2024-01-15T06:00:00+01:00"}]"#

    static func session(revision: Int = 0, id: String = "night-1", stages: String? = nil) -> String {
        #"{"start_time":"2024-01-14T23:00:00+01:00","end_time":"2024-01-15T07:00:00+01:00","source":"Watch","#
            + #""source_id":"\#(id)","notes":null,"revision":\#(revision),"stages":\#(stages ?? Self.stages)}"#
    }

    @Test func aSleepSessionIsStoredOnceWithTheFiguresOfItsStages() async throws {
        try await ServerUnderTest.run { server in
            let first = try await server.send("POST", "/api/v1/sleep", Self.session())
            #expect(first.status == 201)
            let data = try #require(try first.json()["data"] as? [String: Any])
            #expect(data["time_in_bed_minutes"] as? Double == 480)
            #expect(data["total_sleep_minutes"] as? Double == 360)
            #expect(data["awake_minutes"] as? Double == 60)
            #expect(data["core_minutes"] as? Double == 180)
            #expect(data["sleep_efficiency_percentage"] as? Double == 75)
            let again = try await server.send("POST", "/api/v1/sleep", Self.session())
            #expect(again.status == 200)
            let known = try #require(try again.json()["data"] as? [String: Any])
            #expect(known["id"] as? String == data["id"] as? String)
            let newer = try await server.send("POST", "/api/v1/sleep", Self.session(revision: 2, stages: "[]")).json()
            #expect((newer["data"] as? [String: Any])?["total_sleep_minutes"] as? Double == 0)
            #expect(newer["updated"] as? Int == 1)
        }
    }

    /// Stages beyond a session, or longer than it, do not count.
    @Test func noSessionHasMoreSleepThanTimeInBed() async throws {
        let stages = """
            [{"stage":"deep","start_time":"2024-01-14T20:00:00+01:00","end_time":"2024-01-15T00:00:00+01:00"},\
            {"stage":"core","start_time":"2024-01-15T06:00:00+01:00","end_time":"2024-01-15T12:00:00+01:00"},\
            {"stage":"awake","start_time":"2024-01-15T12:00:00+01:00","end_time":"2024-01-15T13:00:00+01:00"}]
            """
        let sums =
            Self.session(id: "sums", stages: "[]").dropLast()
            + #","stage_minutes":{"deep":60,"rem":90000,"core":100000,"asleep":1,"awake":30}}"#
        try await ServerUnderTest.run { server in
            for (body, expected) in [
                (Self.session(stages: stages), [480.0, 120, 0, 0, 60, 60, 25]),
                (String(sums), [480, 480, 0, 420, 0, 60, 100]),
            ] {
                let answer = try await server.send("POST", "/api/v1/sleep", body).json()
                let data = try #require(answer["data"] as? [String: Any])
                let figures = ["time_in_bed", "total_sleep", "awake", "rem", "core", "deep"].map { "\($0)_minutes" }
                #expect((figures + ["sleep_efficiency_percentage"]).map { data[$0] as? Double } == expected)
            }
        }
    }

    @Test func anInvalidSessionIsRejectedWithTheNameOfTheMember() async throws {
        try await ServerUnderTest.run { server in
            for (body, word) in [
                (#"{"end_time":"2024-01-15T07:00:00Z"}"#, "start_time"), ("[]", "object"), ("{", "JSON"),
                (Self.session().replacingOccurrences(of: "core", with: "light"), "stage"),
                (Self.session().replacingOccurrences(of: "2024-01-15T07", with: "2024-01-13T07"), "end_time"),
                (Self.session().replacingOccurrences(of: "\"Watch\"", with: "1"), "source"),
            ] {
                let answer = try await server.send("POST", "/api/v1/sleep", body)
                #expect(answer.status == 422 || answer.status == 400)
                #expect(answer.text.contains(word) && answer.text.contains("\"success\":false"), "\(answer.text)")
            }
        }
    }

    @Test func sessionsAreListedByDayWithAverages() async throws {
        try await ServerUnderTest.run { server in
            let sessions = (1...3).map { number in
                Self.session(id: "night-\(number)").replacingOccurrences(of: "2024-01-14", with: "2024-01-1\(number)")
                    .replacingOccurrences(of: "2024-01-15", with: "2024-01-1\(number + 1)")
            }
            let posted = try await server.send(
                "POST", "/api/v1/sleep", "{\"sessions\":[\(sessions.joined(separator: ",")),{}]}"
            ).json()
            #expect(posted["created"] as? Int == 3)
            #expect(posted["rejected"] as? Int == 1)
            let list = try await server.send("GET", "/api/v1/sleep?from=2024-01-12&to=2024-01-13&limit=1").json()
            let data = try #require(list["data"] as? [String: Any])
            #expect((data["sessions"] as? [[String: Any]])?.map { $0["source_id"] as? String } == ["night-2"])
            #expect(data["total"] as? Int == 2)
            #expect(data["has_more"] as? Bool == true)
            let averages = try #require(data["averages"] as? [String: Double])
            #expect(averages["avg_time_in_bed_minutes"] == 480)
        }
    }

    @Test func entriesAndSnapshotsAreReturnedInCanonicalForm() async throws {
        try await ServerUnderTest.run { server in
            let entry = """
                {"source_id":"steps/day/2024-01-15","type":"steps","granularity":"day","day":"2024-01-15",\
                "start":"2024-01-14T23:00:00Z","quantity":12.5,"unit":"count","revision":3,"unknown":[1]}
                """
            let bad = entry.replacingOccurrences(of: "\"day\",", with: "\"week\",")
            let posted = try await server.send("POST", "/api/v1/progress", "{\"entries\":[\(entry),\(bad)]}").json()
            #expect(posted["created"] as? Int == 1)
            let results = try #require(posted["results"] as? [[String: String]])
            #expect(results.first?["reason"] == "granularity must be hour or day")
            let stored = try await server.send("GET", "/api/v1/progress?type=steps&granularity=day").text
            #expect(
                stored.contains(
                    """
                    {"count":null,"day":"2024-01-15","granularity":"day","max":null,"min":null,"quantity":12.5,\
                    "revision":3,"source_id":"steps/day/2024-01-15","start":"2024-01-14T23:00:00Z","type":"steps",\
                    "unit":"count"}
                    """))
            let path = "/api/v1/progress/steps%2Fday%2F2024-01-15?revision=4"
            #expect(try await server.send("DELETE", path).json()["updated"] as? Int == 1)
            #expect(try await server.send("GET", "/api/v1/progress").text.contains("\"total\":0"))
            let snapshot = #"{"snapshots":[{"day":"2024-01-15","steps":9000,"sleep_minutes":null}]}"#
            #expect(try await server.send("POST", "/api/v1/snapshots", snapshot).json()["created"] as? Int == 1)
            let summary = try await server.send("GET", "/api/v1/summary").text
            #expect(summary.contains(#""snapshot":{"day":"2024-01-15","active_energy_kcal":null"#))
        }
    }

    @Test func impossibleFiguresAreRejectedWithTheNameOfTheMember() async throws {
        try await ServerUnderTest.run { server in
            let day = #""source_id":"a","type":"heartRate","granularity":"day","day":"2024-01-15","#
            for (members, word) in [
                (#""quantity":1e300"#, "quantity"), (#""quantity":60,"count":6000000000000000000"#, "count"),
                (#""quantity":60,"count":1.5"#, "count"), (#""quantity":60,"min":-1e16"#, "min"),
                (#""quantity":60,"max":9007199254740992"#, "max"),
            ] {
                let answer = try await server.send("POST", "/api/v1/progress", "{\"entries\":[{\(day)\(members)}]}")
                    .json()
                let results = try #require(answer["results"] as? [[String: String]])
                #expect(results.first?["status"] == "rejected")
                #expect(results.first?["reason"]?.hasPrefix(word) == true, "\(results)")
            }
            let snapshot = #"{"snapshots":[{"day":"2024-01-15","steps":1e300}]}"#
            #expect(try await server.send("POST", "/api/v1/snapshots", snapshot).json()["rejected"] as? Int == 1)
            let largest = #""quantity":9007199254740991,"count":9007199254740991"#
            let entry = try await server.send("POST", "/api/v1/progress", "{\"entries\":[{\(day)\(largest)}]}")
            #expect(try entry.json()["created"] as? Int == 1)
        }
    }

    @Test func aKeyIsValidForOneContent() async throws {
        try await ServerUnderTest.run { server in
            let key = ["Idempotency-Key": "k"]
            let first = StepsEndpointTests.body([StepsEndpointTests.sample(1)])
            let other = StepsEndpointTests.body([StepsEndpointTests.sample(2)])
            let stored = try await server.send("POST", "/steps", first, headers: key)
            #expect(stored.status == 200)
            #expect(try await server.send("POST", "/steps", first, headers: key).json()["duplicate"] as? Int == 1)
            #expect(try await server.send("POST", "/steps", other, headers: key).status == 422)
            #expect(try await server.send("GET", "/steps").json()["total"] as? Int == 1)
        }
    }

    @Test func halvesOfADigestSumToTheWhole() async throws {
        try await ServerUnderTest.run { server in
            let samples = (0..<4).map { number in
                StepsEndpointTests.sample(number).replacingOccurrences(of: "T08:00", with: "T0\(number * 2):00")
                    .replacingOccurrences(of: "T09:00", with: "T0\(number * 2):30")
            }
            _ = try await server.send("POST", "/steps", StepsEndpointTests.body(samples))
            let path = "/api/v1/digest?type=steps&start=2024-01-15T00:00:00Z&seconds=28800"
            let answer = try await server.send("GET", path).json()
            let digest = try #require((answer["intervals"] as? [[String: Any]])?.first)
            #expect(digest["count"] as? Int == 4)
            let halves = try #require(digest["halves"] as? [[String: Any]])
            #expect(halves.map { $0["count"] as? Int } == [2, 2])
            #expect(answer["seconds"] as? Int == 28_800)
            let both = try await server.send("GET", path.replacing("Z&", with: "Z,2024-01-15T04:00:00Z&")).json()
            let counts = (both["intervals"] as? [[String: Any]])?.map { $0["count"] as? Int }
            #expect(counts == [4, 2])
            #expect((digest["sum"] as? String)?.count == 32)
            #expect(try await server.send("GET", "/api/v1/digest?type=steps").status == 400)
        }
    }
}
