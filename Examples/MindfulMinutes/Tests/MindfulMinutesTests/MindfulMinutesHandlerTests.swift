import HealthSyncDomain
import HealthSyncTestKit
import MindfulMinutes
import Testing

struct MindfulMinutesHandlerTests {
    @Test(arguments: HandlerContract.clauses(for: MindfulMinutesHandler()))
    func keepsTheContract(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    /// The figures of 15 and 16 January 2024, counted in UTC.
    private func derived(_ origins: SampleSeries...) throws -> DerivedDays {
        let days = try #require(
            DayRange(CalendarDay("2024-01-15") ?? .init(ordinal: 0), through: .init(ordinal: 19_738)))
        let window = SampleWindow([SampleTypeDefinition.mindfulSession.type: origins.map(\.samples)])
        return MindfulMinutesHandler().derive(days, from: window, by: DerivationRules(clock: DayClock(home: .utc)))
    }

    @Test("Overlapping sessions of one app count once")
    func overlap() throws {
        let app = SampleSeries("Breathe")
            .adding(0, at: "2024-01-15T08:00:00Z", minutes: 20)
            .adding(0, at: "2024-01-15T08:10:00Z", minutes: 15)
            .adding(0, at: "2024-01-15T08:12:00Z", minutes: 3)
        #expect(try derived(app).progress.map(\.figures.quantity) == [25])
    }

    @Test("Overlapping sessions of two apps count once")
    func twoApps() throws {
        let breathe = SampleSeries("Breathe").adding(0, at: "2024-01-15T08:00:00Z", minutes: 10)
        let timer = SampleSeries("Timer").adding(0, at: "2024-01-15T08:05:00Z", minutes: 10)
        #expect(try derived(breathe, timer).progress.map(\.figures.quantity) == [15])
    }

    @Test("A session over midnight is divided between its days and hours")
    func midnight() throws {
        let app = SampleSeries("Breathe").adding(0, at: "2024-01-15T22:50:00Z", minutes: 80)
        let days = try derived(app).progress
        #expect(days.map(\.figures.quantity) == [70, 10])
        #expect(days.map { $0.hours.map(\.figures.quantity) } == [[10, 60], [10]])
        #expect(days.map(\.unit) == ["min", "min"])
    }

    @Test("A session of more than 31 days is skipped and counted, and hides no other")
    func tooLong() throws {
        let app = SampleSeries("Breathe")
            .adding(0, at: "2024-01-15T07:00:00Z", minutes: 32 * 1440)
            .adding(0, at: "2024-01-15T08:00:00Z", minutes: 10)
        let derived = try derived(app)
        #expect(derived.progress.map(\.figures.quantity) == [10])
        #expect(derived.skipped == ["longer than 31 days": 1])
    }
}
