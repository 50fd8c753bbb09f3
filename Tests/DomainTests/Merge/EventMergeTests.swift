import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// Events of all origins add up, whatever their length; copies count once.
struct EventMergeTests {
    private func sums(_ input: RandomSteps) -> [CalendarDay: Double] {
        let rules = DerivationRules(clock: input.clock, originPriority: RandomSteps.priority) {
            try? ZoneClocks.clock($0)
        }
        let merge = CumulativeMerge(
            metric: .steps, unit: "mL", days: input.range.widened(before: 2, after: 3), rules: rules, counting: .events)
        return Dictionary(
            uniqueKeysWithValues: merge.days(of: input.samples).progress.map { ($0.day, $0.figures.quantity) })
    }

    private struct Content: Hashable {
        let start: Int64
        let length: Int64
        let value: Double
    }

    private func contents(_ samples: [OriginSamples]) -> Set<Content> {
        Set(
            samples.flatMap { origin in
                (0..<origin.columns.count).map {
                    Content(
                        start: origin.columns.starts[$0], length: origin.columns.durations[$0],
                        value: origin.columns.values[$0])
                }
            })
    }

    @Test(arguments: 0..<100) func allEventsAddUpAndCopiesCountOnce(seed: UInt64) throws {
        var input = try RandomSteps(seed: seed)
        let expected = contents(input.samples).reduce(0) { $0 + $1.value }
        #expect(abs(sums(input).values.reduce(0, +) - expected) < 1e-6 * max(1, expected))
        // A copy of every event by another app, and the events in another order.
        let before = sums(input)
        input.samples += input.samples.map { origin in
            let all = Array(0..<origin.columns.count)
            return OriginSamples(
                origin: SampleOrigin(sourceName: "Copy of \(origin.origin.sourceName)", isUserEntered: seed % 2 == 0),
                columns: origin.columns.selecting(all.reversed()))
        }
        let after = sums(input)
        #expect(Set(after.keys) == Set(before.keys))
        for (day, sum) in before { #expect(abs((after[day] ?? 0) - sum) < 1e-6 * max(1, sum)) }
    }

    @Test(arguments: [0, 1, 90] as [Double]) func twoGlassesOfOneHourAreTwoWhateverTheirLength(minutes: Double) throws {
        let rules = DerivationRules(clock: DayClock(home: .utc))
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let first = SampleSeries("A").adding(250, at: "2024-01-15T09:00:00Z", minutes: minutes).samples
        let second = SampleSeries("B").adding(300, at: "2024-01-15T09:20:00Z", minutes: minutes).samples
        for (counting, expected) in [(SampleCounting.events, 550.0), (.spans, 300)]
        where minutes == 0 || counting == .events {
            let merge = CumulativeMerge(metric: .steps, unit: "mL", days: days, rules: rules, counting: counting)
            let derived = merge.days(of: [first, second])
            #expect(derived.progress.map(\.figures.quantity) == [expected])
            #expect(derived.progress.first?.origins.map(\.quantity) == [250, 300])
        }
    }
}
