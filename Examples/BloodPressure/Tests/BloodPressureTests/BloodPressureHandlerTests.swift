import BloodPressure
import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct BloodPressureHandlerTests {
    @Test(arguments: HandlerContract.clauses(for: BloodPressureHandler()))
    func keepsTheContract(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    @Test func onlyCompleteReadingsCount() async throws {
        let monitor = SampleOrigin(sourceName: "Monitor")
        let systolic = SampleSeries(monitor)
            .adding(120, at: "2024-01-15T08:00:00Z").adding(130, at: "2024-01-15T08:30:00Z")
            .adding(150, at: "2024-01-15T12:00:00Z").adding(60, at: "2024-01-15T13:00:00Z")
        let diastolic = SampleSeries(monitor)
            .adding(80, at: "2024-01-15T08:00:00Z").adding(90, at: "2024-01-15T08:30:00Z")
            .adding(70, at: "2024-01-15T13:00:00Z")
        let stranger = SampleSeries("Other").adding(95, at: "2024-01-15T12:00:00Z")
        let context = InMemorySyncContext(
            days: DayRange(try #require(CalendarDay("2024-01-15"))), clock: DayClock(home: .utc),
            samples: [
                SampleTypeDefinition.bloodPressureSystolic.type: [systolic.samples],
                SampleTypeDefinition.bloodPressureDiastolic.type: [diastolic.samples, stranger.samples],
            ])
        let outcome = try await BloodPressureHandler().syncHistorical(in: context)
        #expect(outcome == .synced(days: 1, records: 2))
        let derived = context.derived(by: .bloodPressure)
        #expect(derived.progress.map(\.metric) == [.bloodPressureDiastolic, .bloodPressureSystolic])
        #expect(
            derived.progress.map(\.figures) == [
                ProgressFigures(quantity: 85, minimum: 80, maximum: 90, count: 2),
                ProgressFigures(quantity: 125, minimum: 120, maximum: 130, count: 2),
            ])
        #expect(derived.skipped == ["incomplete reading": 2, "value out of range": 2])
    }
}
