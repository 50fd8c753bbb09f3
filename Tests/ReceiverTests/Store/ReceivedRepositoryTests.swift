import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

@Suite("Received records for pages")
struct ReceivedRepositoryTests {
    /// A day of January 2024.
    private static func day(_ number: Int) -> CalendarDay { CalendarDay(ordinal: 19_722 + number) }

    private static func days(_ first: Int, _ last: Int) -> DayRange {
        DayRange(day(first)).widened(before: 0, after: last - first)
    }

    /// Starts a server, sends `bodies` by path, and returns the repository of its store.
    private func received(
        _ bodies: [(path: String, body: String)], _ body: @Sendable (ReceivedHealthRepository) async throws -> Void
    ) async throws {
        let store = InMemoryReceivedDataStore()
        try await ServerUnderTest.run(store: store) { server in
            for request in bodies {
                let answer = try await server.send("POST", request.path, request.body)
                #expect((200...201).contains(answer.status), "\(answer.text)")
            }
            try await body(ReceivedHealthRepository(store: store, user: .local))
        }
    }

    private static func entry(
        _ type: String, _ granularity: String, day: Int, hour: Int = 0, _ quantity: String, more: String = "",
        id: String? = nil
    ) -> String {
        let day = Self.day(day)
        let start = "\(day)T\(hour < 10 ? "0" : "")\(hour):00:00Z"
        return """
            {"source_id":"\(id ?? "\(type)/\(granularity)/\(start)")","type":"\(type)","granularity":"\(granularity)",\
            "day":"\(day)","start":"\(start)","quantity":\(quantity),"unit":"count"\(more)}
            """
    }

    private static func night(
        _ source: String, from start: String, to end: String, _ stage: String = "core"
    ) -> String {
        """
        {"start_time":"\(start)","end_time":"\(end)","source":"\(source)","source_id":"\(source)@\(start)",\
        "stages":[{"stage":"\(stage)","start_time":"\(start)","end_time":"\(end)"}]}
        """
    }

    @Test("a store without records has nothing to show")
    func empty() async throws {
        try await received([]) { repository in
            let recorded = try await repository.recordedDays()
            #expect(recorded == nil)
            #expect(try await repository.latestDay(of: .steps, through: nil) == nil)
            #expect(try await repository.latestDay(of: .sleep, through: nil) == nil)
            #expect(try await repository.recordedMetrics() == [])
            #expect(try await repository.sleep(days: Self.days(1, 31)) == [])
        }
    }

    @Test("entries become days with hours; of two entries for a day the later one counts")
    func progress() async throws {
        let entries = [
            Self.entry("steps", "hour", day: 15, hour: 9, "30"), Self.entry("steps", "hour", day: 15, hour: 8, "70.5"),
            Self.entry("steps", "day", day: 15, "100.5"), Self.entry("steps", "day", day: 14, "7"),
            Self.entry("heartRate", "day", day: 15, "61", more: ",\"min\":40,\"max\":180.5,\"count\":9"),
        ]
        let other = Self.entry("steps", "day", day: 14, "8", id: "another client's")
        try await received([
            ("/api/v1/progress", "{\"entries\":[\(entries.joined(separator: ","))]}"),
            ("/api/v1/progress", "{\"entries\":[\(other)]}"),
        ]) { repository in
            let all = try await repository.progress(of: nil, days: Self.days(1, 31))
            #expect(all.map(\.day) == [Self.day(14), Self.day(15), Self.day(15)])
            #expect(all.map(\.metric) == [.steps, .heartRate, .steps])
            #expect(all.map(\.figures.quantity) == [8, 61, 100.5])
            #expect(all[1].figures == ProgressFigures(quantity: 61, minimum: 40, maximum: 180.5, count: 9))
            #expect(all[2].hours.map(\.figures.quantity) == [70.5, 30])
            #expect(all[2].hours.first?.start == RFC3339.instant("2024-01-15T08:00:00Z"))
            let daily = try await repository.dailyFigures(of: .steps, days: Self.days(15, 15))
            #expect(daily.map(\.figures.quantity) == [100.5] && daily[0].hours.isEmpty)
            #expect(try await repository.latestDay(of: .steps, through: nil) == Self.day(15))
            #expect(try await repository.recordedDays() == Self.days(14, 15))
            #expect(try await repository.recordedMetrics() == [.heartRate, .steps])
        }
    }

    @Test("nights of senders that state none are computed")
    func sleep() async throws {
        let sessions = [
            Self.night("Ring", from: "2024-01-14T22:30:00+01:00", to: "2024-01-15T07:30:00+01:00", "asleep"),
            Self.night("Watch", from: "2024-01-14T23:00:00+01:00", to: "2024-01-15T07:00:00+01:00"),
            Self.night("Watch", from: "2024-01-15T00:30:00-05:00", to: "2024-01-15T01:30:00-05:00"),
            Self.night("Watch", from: "2024-01-15T14:00:00+01:00", to: "2024-01-15T15:00:00+01:00"),
            Self.night("Watch", from: "2024-01-16T00:10:00+01:00", to: "2024-01-16T08:10:00+01:00"),
        ]
        try await received([("/api/v1/sleep", "{\"sessions\":[\(sessions.joined(separator: ","))]}")]) { repository in
            let day = try await repository.sleep(days: Self.days(15, 15))
            #expect(day.map(\.origin.sourceName) == ["Ring", "Watch", "Watch", "Watch"])
            // The third is by the watch while it was asleep: the same period, which it covers.
            #expect(day.map(\.role) == [.main, .main, .main, .nap])
            #expect(day.map { $0.share != nil } == [false, true, false, true])
            #expect(day.map(\.offsetSeconds) == [3600, 3600, -18_000, 3600])
            #expect(day[1].durations.core == 8 * 3_600_000 && day[1].stages.count == 1)
            #expect(day[0].durations.unspecified == 9 * 3_600_000)
            #expect(try await repository.latestDay(of: .sleep, through: nil) == Self.day(16))
            #expect(try await repository.recordedDays() == Self.days(15, 16))
        }
    }

    @Test("a night with sums keeps them; a snapshot has no value for a figure that was not measured")
    func sums() async throws {
        let night = """
            {"start_time":"2024-01-14T23:00:00+01:00","end_time":"2024-01-15T07:00:00+01:00","source_id":"n","stages":[],\
            "stage_minutes":{"core":200.25,"deep":60,"rem":90,"asleep":10,"awake":20}}
            """
        let snapshot = #"{"day":"2024-01-15","steps":9432,"resting_heart_rate":52.5,"sleep_minutes":null}"#
        try await received([("/api/v1/sleep", night), ("/api/v1/snapshots", "{\"snapshots\":[\(snapshot)]}")]) {
            repository in
            let session = try #require(try await repository.sleep(days: Self.days(15, 15)).first)
            #expect(session.stages.isEmpty && session.durations.inBed == 8 * 3_600_000)
            #expect(session.durations.asleep == 21_615_000 && session.durations.core == 12_015_000)
            #expect(session.durations.unspecified == 600_000)
            var expected = ActivitySnapshot(day: Self.day(15))
            expected.steps = 9432
            expected.restingHeartRate = 52.5
            #expect(try await repository.activitySnapshots(days: Self.days(1, 31)) == [expected])
        }
    }

    @Test("users see only their own records")
    func users() async throws {
        let store = InMemoryReceivedDataStore()
        try await ServerUnderTest.run(store: store) { server in
            let anna = try await server.token("anna", [.ingest])
            let body = "{\"entries\":[\(Self.entry("steps", "day", day: 15, "1"))]}"
            let answer = try await server.send(
                "POST", "/api/v1/progress", body, headers: ["Authorization": "Bearer \(anna)"])
            #expect(answer.status == 200)
            for (name, count) in [("anna", 1), ("ben", 0)] {
                let user = try #require(UserName(name))
                let repository = ReceivedHealthRepository(store: store, user: user)
                #expect(try await repository.dailyFigures(of: nil, days: Self.days(1, 31)).count == count)
            }
        }
    }
}
