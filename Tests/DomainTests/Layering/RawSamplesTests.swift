import HealthSyncDomain
import Testing

@Suite struct RawSamplesTests {
    private static func columns(_ samples: [(Int64, Double)], externalID: String? = nil) -> SampleColumns {
        var columns = SampleColumns()
        for (start, value) in samples {
            columns.append(
                start: start, duration: 1_000, value: value,
                detail: externalID.map { SampleDetail(externalID: $0) })
        }
        return columns
    }

    private static func id(_ number: UInt64) -> SampleID { SampleID(high: 1, low: number) }

    @Test func equalIDsAreKeptOnceAndOrderedByStart() {
        var samples = RawSamples()
        let origin = SampleOrigin(sourceName: "A")
        samples.append(Self.columns([(5_000, 1), (9_000, 2)]), ids: [Self.id(1), Self.id(2)], origin: origin)
        samples.append(Self.columns([(1_000, 3), (5_000, 1)]), ids: [Self.id(3), Self.id(1)], origin: origin)
        let all = samples.normalized()
        #expect(all.ids == [Self.id(3), Self.id(1), Self.id(2)])
        #expect(all.rows(in: InstantRange(start: Instant(seconds: 5), end: Instant(seconds: 9))) == 1..<2)
    }

    @Test func theLastSampleOfADayWithTheSameGivenIDIsKept() {
        var samples = RawSamples()
        let origin = SampleOrigin(sourceName: "A")
        let day = CalendarDay.millisecondsPerDay
        samples.append(
            Self.columns([(1_000, 1), (2_000, 2), (day, 3)], externalID: "x"),
            ids: [Self.id(1), Self.id(1), Self.id(1)], origin: origin)
        #expect(samples.normalized().values == [2, 3])
    }
}
