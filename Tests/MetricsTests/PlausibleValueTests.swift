import Foundation
import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
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

    @Test("The documented bounds of every type are those of the program") func documentedBounds() throws {
        let page = try ProjectFile.text("docs/numbers.md")
        var documented: Set<String> = []
        for line in page.split(separator: "\n") where line.hasPrefix("| ") && line.contains("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let upper = Self.number(cells[1]) else { continue }
            for name in cells[3].split(separator: ",").map({ $0.filter { $0.isLetter || $0.isNumber } }) {
                let definition = try #require(
                    Self.bounded.first { $0.type.rawValue == "HKQuantityTypeIdentifier\(name)" }, "\(name)")
                let bounds = try #require(definition.plausibleValues)
                #expect(definition.unit == cells[2], "\(name)")
                #expect(bounds.upperBound == upper, "\(name)")
                // The least number above 0, or the bound itself.
                #expect(
                    cells[0] == "above 0"
                        ? bounds.lowerBound > 0 && bounds.lowerBound < 1e-300
                        : bounds.lowerBound == Self.number(cells[0]),
                    "\(name)")
                documented.insert(definition.type.rawValue)
            }
        }
        #expect(documented == Set(Self.bounded.map(\.type.rawValue)))
    }

    /// Returns the number in a cell, which may have separators of thousands and a typographic minus.
    private static func number(_ text: String) -> Double? {
        Double(text.filter { $0 != "," }.replacing("−", with: "-"))
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
