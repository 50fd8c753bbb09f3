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
        #expect(try await figureOfOneDay(name) == (name == "bodyFatPercentage" ? 0.34 : 34))
    }

    @Test(arguments: ["oxygenSaturation", "bloodGlucose", "bodyTemperature"])
    func aVitalSignHasTheMeanOfTheDay(name: String) async throws {
        #expect(try await figureOfOneDay(name) == (name == "oxygenSaturation" ? 0.36 : 36))
    }

    @Test(arguments: ["flightsClimbed", "dietaryWater"])
    func aCumulativeTypeIsSummedByDay(name: String) async throws {
        #expect(try await figureOfOneDay(name) == 108)
    }

    /// Returns the figure of a day with 36 in the morning, 38 at noon and 34 in the evening, which are percent of a fraction.
    private func figureOfOneDay(_ name: String) async throws -> Double? {
        let definition = try #require(SampleTypeTable.builtIn().definition(named: name))
        let handler = try #require(BuiltInHandlers.handler(ofFurther: definition))
        let day = DayRange(try #require(CalendarDay(year: 2024, month: 1, day: 15)))
        let series = SampleSeries("Scale").adding(36, at: "2024-01-15T07:00:00Z", minutes: 1)
            .adding(38, at: "2024-01-15T12:00:00Z", minutes: 1).adding(34, at: "2024-01-15T21:00:00Z", minutes: 1)
        let context = InMemorySyncContext(
            days: day, clock: DayClock(home: .utc), samples: [definition.type: [series.samples]])
        _ = try await handler.syncHistorical(in: context)
        return context.derived(by: handler.metric).progress.first?.figures.quantity
    }
}
