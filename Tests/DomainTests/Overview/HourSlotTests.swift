import HealthSyncDomain
import Testing

struct HourSlotTests {
    @Test(arguments: [("2024-03-30", 24), ("2024-03-31", 23), ("2024-10-27", 25)])
    func aDayShowsAllItsHours(text: String, count: Int) throws {
        let clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        let day = try RandomSteps.day(text)
        let measured = clock.hours(of: day).enumerated().filter { $0.offset % 2 == 0 }.map {
            HourProgress(start: $0.element.start, figures: ProgressFigures(quantity: Double($0.offset + 1)))
        }
        let slots = HourSlot.slots(of: day, measured: measured, clock: clock, kind: .sum)
        #expect(slots.count == count)
        #expect(slots.map(\.interval) == clock.hours(of: day))
        let expected: [Double?] = (0..<count).map { index in index % 2 == 0 ? Double(index + 1) : nil }
        #expect(slots.map(\.figures?.quantity) == expected)
    }

    @Test func theRepeatedHourIsDistinguishedByItsOffset() throws {
        let clock = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        let slots = HourSlot.slots(of: try RandomSteps.day("2024-10-27"), measured: [], clock: clock, kind: .sum)
        let labels = slots[1...4].map { RFC3339.string($0.interval.start, offsetSeconds: $0.offsetSeconds) }
        #expect(
            labels == [
                "2024-10-27T01:00:00+02:00", "2024-10-27T02:00:00+02:00", "2024-10-27T02:00:00+01:00",
                "2024-10-27T03:00:00+01:00",
            ])
    }

    @Test func hoursOfAnotherZoneAreNotLost() throws {
        let paris = DayClock(home: try ZoneRules(identifier: "Europe/Paris"))
        let india = DayClock(home: try ZoneRules(identifier: "Asia/Kolkata"))
        let day = try RandomSteps.day("2024-01-15")
        let hours = (paris.hours(of: day) + india.hours(of: day)).sorted { $0.start < $1.start }
        let measured = hours.map { HourProgress(start: $0.start, figures: ProgressFigures(quantity: 10)) }
        let slots = HourSlot.slots(of: day, measured: measured, clock: paris, kind: .sum)
        #expect(slots.compactMap(\.figures?.quantity).reduce(0, +) == 480)
        #expect(slots.count == 24 + 5)
        #expect(slots.map(\.interval.start) == slots.map(\.interval.start).sorted())
    }
}
