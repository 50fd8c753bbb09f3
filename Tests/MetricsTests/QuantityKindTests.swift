import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The figure of a day is the sum, the mean or the last value, according to the kind of the type.
struct QuantityKindTests {
    @Test(arguments: [
        "bodyMass", "height", "bodyMassIndex", "leanBodyMass", "bodyFatPercentage", "waistCircumference",
    ])
    func aBodyMeasureHasTheLastValueOfTheDay(name: String) async throws {
        #expect(try await figureOfOneDay(name) == 4)
    }

    @Test(arguments: ["oxygenSaturation", "bloodGlucose", "bodyTemperature"])
    func aVitalSignHasTheMeanOfTheDay(name: String) async throws {
        #expect(try await figureOfOneDay(name) == 6)
    }

    @Test(arguments: ["flightsClimbed", "dietaryWater"])
    func aCumulativeTypeIsSummedByDay(name: String) async throws {
        #expect(try await figureOfOneDay(name) == 18)
    }

    /// Returns the figure of a day with 6 in the morning, 8 at noon and 4 in the evening.
    private func figureOfOneDay(_ name: String) async throws -> Double? {
        let definition = try #require(SampleTypeTable.builtIn().definition(named: name))
        let handler = try #require(BuiltInHandlers.handler(ofFurther: definition))
        let day = DayRange(try #require(CalendarDay(year: 2024, month: 1, day: 15)))
        let series = SampleSeries("Scale").adding(6, at: "2024-01-15T07:00:00Z", minutes: 1)
            .adding(8, at: "2024-01-15T12:00:00Z", minutes: 1).adding(4, at: "2024-01-15T21:00:00Z", minutes: 1)
        let context = InMemorySyncContext(
            days: day, clock: DayClock(home: .utc), samples: [definition.type: [series.samples]])
        _ = try await handler.syncHistorical(in: context)
        return context.derived(by: handler.metric).progress.first?.figures.quantity
    }
}
