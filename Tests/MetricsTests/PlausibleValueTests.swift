import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// Values outside the bounds of their type are skipped and counted.
struct PlausibleValueTests {
    private static let bounded = SampleTypeTable.builtIn().rows.filter {
        $0.kind != .cumulative && $0.kind != .category
    }

    private func derived(_ definition: SampleTypeDefinition, _ values: [Double]) async throws -> (DailyProgress?, Int) {
        let handler = try #require(BuiltInHandlers.handler(ofFurther: definition))
        let day = DayRange(try #require(CalendarDay(year: 2024, month: 1, day: 15)))
        var series = SampleSeries("Scale")
        for (minute, value) in values.enumerated() {
            series = series.adding(value, at: "2024-01-15T07:\(minute < 10 ? "0" : "")\(minute):00Z", minutes: 0)
        }
        let context = InMemorySyncContext(
            days: day, clock: DayClock(home: .utc), samples: [definition.type: [series.samples]])
        _ = try await handler.syncHistorical(in: context)
        let days = context.derived(by: handler.metric)
        return (days.progress.first, days.skipped.values.reduce(0, +))
    }

    @Test("Every quantity that is measured has bounds") func everyTypeHasBounds() {
        #expect(Self.bounded.count > 40)
        #expect(Self.bounded.filter { $0.plausibleValues == nil }.map(\.type.rawValue) == [])
    }

    @Test(arguments: bounded.map(\.type)) func theBoundsAreTheLastPlausibleValues(type: SampleType) async throws {
        let definition = try #require(SampleTypeTable.builtIn()[type])
        let bounds = try #require(definition.plausibleValues)
        let inside = try await derived(definition, [bounds.lowerBound, bounds.upperBound])
        #expect(inside.0?.figures.count == 2 && inside.1 == 0)
        // A fraction of more than 1 is a percentage, so that the first implausible one is that of more than 100 %.
        let above = definition.unit == "%" ? 100.0.nextUp : bounds.upperBound.nextUp
        let outside = try await derived(definition, [bounds.lowerBound.nextDown, above])
        #expect(outside.0 == nil && outside.1 == 2)
    }

    @Test(arguments: [(97.0, 0.97), (1, 1), (0.5, 0.5), (100, 1), (1.5, 0.015)])
    func aPercentageIsAFraction(value: Double, expected: Double) async throws {
        for name in ["oxygenSaturation", "bodyFatPercentage"] {
            let definition = try #require(SampleTypeTable.builtIn().definition(named: name))
            #expect(try await derived(definition, [value]).0?.figures.quantity == expected)
        }
        let weight = try #require(SampleTypeTable.builtIn().definition(named: "bodyMass"))
        #expect(try await derived(weight, [value]).0?.figures.quantity == value)
    }
}
