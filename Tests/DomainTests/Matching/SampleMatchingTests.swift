import HealthSyncDomain
import HealthSyncTestKit
import Testing

struct SampleMatchingTests {
    /// The contents of a sample, for comparisons independent of order.
    private struct Stated: Hashable {
        var origin: SampleOrigin
        var start: Int64
        var duration: Int64
        var value: Double
        var id: String?
    }

    private func stated(_ samples: [OriginSamples]) -> [Stated: Int] {
        var counts: [Stated: Int] = [:]
        for part in samples {
            for row in 0..<part.columns.count {
                let sample = Stated(
                    origin: part.origin, start: part.columns.starts[row], duration: part.columns.durations[row],
                    value: part.columns.values[row], id: part.columns.details[row]?.externalID)
                counts[sample, default: 0] += 1
            }
        }
        return counts
    }

    private func orders(_ items: [String]) -> [[String]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { first in orders(items.filter { $0 != first }).map { [first] + $0 } }
    }

    /// A minute of a feed that contains one measurement is that measurement.
    @Test(arguments: [
        (Int64(0), 88.0, 88.0, Int64(60_000), true), (1_000, 88, 88, 60_000, false), (0, 88, 89, 60_000, false),
        (0, 89, 89, 60_000, false), (0, 88, 88, 3_600_000, false),
    ])
    func aDeletionReachesAMinuteOfOneMeasurement(
        late: Int64, minimum: Double, maximum: Double, length: Int64, isReached: Bool
    ) {
        let start: Int64 = 1_705_300_000_000 / 60_000 * 60_000
        var bucket = SampleColumns()
        bucket.append(
            start: start, duration: length, value: minimum,
            detail: SampleDetail(minimum: minimum, maximum: maximum))
        var deleted = SampleColumns()
        deleted.append(start: start + late, duration: 0, value: 88)
        let matched = SampleMatching.matched([
            InputSamples(
                input: "feed", origin: SampleOrigin(sourceName: "Feed", isPreAggregated: true), columns: bucket),
            InputSamples(
                input: "stream", origin: SampleOrigin(sourceName: "Watch"), columns: deleted, areDeleted: true),
        ])
        #expect(matched.isEmpty == isReached)
    }

    @Test(
        "All orders of four inputs give the same samples, each as often as in the input with the most",
        arguments: 0..<60)
    func orderDoesNotMatter(seed: UInt64) {
        let inputs = RandomInputs(seed: seed)
        let first = stated(SampleMatching.matched(inputs.pages(in: RandomInputs.inputs)))
        for order in orders(RandomInputs.inputs) {
            #expect(stated(SampleMatching.matched(inputs.pages(in: order))) == first)
        }
        var counts: [[Int64]: Int] = [:]
        for (sample, count) in first {
            let measurement = RandomInputs.Measurement(
                start: sample.start, duration: sample.duration, value: sample.value, id: "")
            counts[RandomInputs.key(measurement), default: 0] += count
        }
        #expect(counts == inputs.expected)
    }

    @Test("Next to a complete input, the others change no time, value or identity", arguments: 0..<60)
    func theMostCompleteInputPrevails(seed: UInt64) {
        let inputs = RandomInputs(seed: seed, complete: "stream")
        let whole = SampleMatching.matched(inputs.pages(in: RandomInputs.inputs))
        let found = stated(whole).map { [$0.key.start, $0.key.duration, Int64($0.key.value * 10), Int64($0.value)] }
        let expected = inputs.measurements.map { [$0.start, $0.duration, Int64($0.value * 10), 1] }
        #expect(Set(found) == Set(expected))
        #expect(Set(stated(whole).keys.compactMap(\.id)) == Set(inputs.measurements.map(\.id)))
    }

    @Test("The device of the export is combined with the times and the identity of the stream")
    func bestPartsOfEachInput() throws {
        var whole = SampleColumns()
        whole.append(start: 60_000, duration: 600_000, value: 1000, zoneName: "Europe/Berlin")
        var fine = SampleColumns()
        fine.append(start: 60_350, duration: 600_120, value: 1000, detail: SampleDetail(externalID: "A"))
        let watch = SampleOrigin(sourceName: "Watch", device: "name:Apple Watch")
        let samples = SampleMatching.matched([
            InputSamples(input: "export", origin: watch, columns: whole),
            InputSamples(input: "stream", origin: SampleOrigin(sourceName: "Watch"), columns: fine),
        ])
        let only = try #require(samples.first)
        #expect(samples.count == 1)
        #expect(only.origin == watch)
        #expect(only.columns.starts == [60_350])
        #expect(only.columns.durations == [600_120])
        #expect(only.columns.zoneName(0) == "Europe/Berlin")
        #expect(only.columns.details[0]?.externalID == "A")
    }

    @Test(
        "Values agree to the precision of the one with fewer decimals",
        arguments: [
            (72.4, 72, true), (72.6, 72, false), (0.123456, 0.1235, true), (0.1234, 0.1236, false), (1000, 1001, false),
            (70.30681, 70.30680999999999, true), (1e-7, 2e-7, false), (3, 4, false),
        ])
    func valuesAgree(left: Double, right: Double, agree: Bool) {
        var (first, second) = (SampleColumns(), SampleColumns())
        first.append(start: 0, duration: 0, value: left)
        second.append(start: 0, duration: 0, value: right)
        for pair in [(first, second), (second, first)] {
            let samples = SampleMatching.matched([
                InputSamples(input: "export", origin: SampleOrigin(sourceName: "A"), columns: pair.0),
                InputSamples(input: "feed", origin: SampleOrigin(sourceName: "A"), columns: pair.1),
            ])
            #expect(samples.reduce(0) { $0 + $1.columns.count } == (agree ? 1 : 2))
        }
    }

    @Test("Other sources, other seconds, samples of one input and aggregates of a feed are not matched")
    func unmatchedSamples() {
        var columns = SampleColumns()
        columns.append(start: 0, duration: 60_000, value: 5)
        var later = SampleColumns()
        later.append(start: 1000, duration: 60_000, value: 5)
        let one = InputSamples(input: "export", origin: SampleOrigin(sourceName: "A"), columns: columns)
        let others = [
            InputSamples(input: "feed", origin: SampleOrigin(sourceName: "B"), columns: columns),
            InputSamples(input: "feed", origin: SampleOrigin(sourceName: "A"), columns: later),
            InputSamples(input: "feed", origin: SampleOrigin(sourceName: "A", isPreAggregated: true), columns: columns),
            InputSamples(input: "export", origin: SampleOrigin(sourceName: "A", device: "name:A"), columns: columns),
        ]
        for other in others { #expect(SampleMatching.matched([one, other]).count == 2) }
    }
}
