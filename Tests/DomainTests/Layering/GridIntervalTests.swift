import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite struct GridIntervalTests {
    @Test func aRootBeginsIn2001() throws {
        let begin = try #require(CalendarDay("2001-01-01")).utcStart
        let root = GridInterval.root(containing: begin.advanced(bySeconds: 700_000_000))
        #expect(root.start == begin)
        #expect(root.seconds == 1_073_741_824)
    }

    @Test func rootsRepeatInBothDirections() throws {
        let begin = try #require(CalendarDay("2001-01-01")).utcStart
        #expect(GridInterval.root(containing: begin.advanced(byMilliseconds: -1)).end == begin)
        let after = GridInterval.root(containing: begin.advanced(bySeconds: 1 << 30))
        #expect(after.start == begin.advanced(bySeconds: 1 << 30))
    }

    @Test func theShortestNodeHasNoHalves() {
        let shortest = GridInterval(containing: Instant(seconds: 1_700_000_123), exponent: 9)
        #expect(shortest.halves == nil)
        #expect(shortest.seconds == 512)
    }

    @Test func halvesMeetInTheMiddle() throws {
        let interval = GridInterval(containing: Instant(seconds: 1_700_000_123), exponent: 20)
        let (first, second) = try #require(interval.halves)
        #expect(first.start == interval.start)
        #expect(first.end == second.start)
        #expect(second.end == interval.end)
    }

    @Test(arguments: [1, 511, 513, 1 << 31, -512, 0] as [Int64])
    func lengthsOutsideTheGridAreRejected(_ seconds: Int64) {
        #expect(GridInterval(start: Instant(seconds: 978_307_200), seconds: seconds) == nil)
    }

    @Test func startsOutsideTheGridAreRejected() {
        #expect(GridInterval(start: Instant(seconds: 978_307_201), seconds: 512) == nil)
        #expect(GridInterval(start: Instant(milliseconds: 978_307_200_001), seconds: 512) == nil)
        #expect(GridInterval(start: Instant(seconds: 978_307_200), seconds: 512)?.exponent == 9)
    }

    @Test func digestsWrapAroundAt128Bits() {
        var whole = IntervalDigest()
        let ids = [SampleID(high: .max, low: .max), SampleID(high: 1, low: 2), SampleID(high: .max, low: 5)]
        for id in ids { whole.insert(id) }
        var part = IntervalDigest()
        part.insert(ids[1])
        #expect(whole - part + part == whole)
        #expect((whole - part).count == 2)
        #expect(whole == IntervalDigest(count: 3, high: 0, low: 6))
    }

    @Test func impossibleCountsAddNothing() {
        #expect(LayeringRule.wholeSteps(12.5) == 13)
        #expect(LayeringRule.wholeSteps(-4) == 0)
        #expect(LayeringRule.wholeSteps(.nan) == 0)
        #expect(LayeringRule.wholeSteps(1e300) == 0)
    }
}
