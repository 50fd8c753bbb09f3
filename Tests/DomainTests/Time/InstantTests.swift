import HealthSyncDomain
import Testing

struct InstantTests {
    @Test(arguments: [Int64.min, .min / 1000 - 1, .max / 1000 + 1, .max])
    func advancingSaturatesInsteadOfOverflowing(seconds: Int64) {
        let limit = Instant(milliseconds: seconds < 0 ? .min : .max)
        #expect(Instant(milliseconds: 0).advanced(bySeconds: seconds) == limit)
        #expect(limit.advanced(bySeconds: seconds) == limit)
        #expect(InstantRange(start: Instant(milliseconds: .min), end: limit).milliseconds == (seconds < 0 ? 0 : .max))
    }
}
