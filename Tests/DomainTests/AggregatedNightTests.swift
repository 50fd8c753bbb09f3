import HealthSyncDomain
import Testing

/// A feed that sends totals of a night produces several samples over the same interval; none may replace another.
@Suite struct AggregatedNightTests {
    private func night(from start: Int64, to end: Int64, core: Int64) -> SampleColumns {
        var columns = SampleColumns()
        for (state, length) in [(3.0, core), (4.0, 2_000), (5.0, 1_000)] {
            columns.append(
                start: start, duration: end - start, value: state,
                detail: SampleDetail(externalID: "night/\(Int(state))", syncVersion: end, stateMilliseconds: length))
        }
        return columns
    }

    @Test func statesOverTheSameIntervalAreKeptSeparate() {
        var columns = night(from: 0, to: 10_000, core: 4_000)
        columns.append(night(from: 0, to: 10_000, core: 5_000))
        let (kept, repeated) = columns.normalized(.byBucket)
        #expect(kept.values == [3, 4, 5])
        #expect(kept.details[0]?.stateMilliseconds == 5_000)
        #expect(repeated == 3)
    }

    @Test func aLongerNightReplacesTheEarlierOne() {
        var columns = night(from: 0, to: 12_000, core: 6_000)
        columns.append(night(from: 0, to: 10_000, core: 4_000))
        let kept = columns.normalized(.byBucket).columns
        #expect(kept == night(from: 0, to: 12_000, core: 6_000))
    }
}
