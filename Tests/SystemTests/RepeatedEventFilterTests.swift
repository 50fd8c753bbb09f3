import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Testing

struct RepeatedEventFilterTests {
    @Test func theSameEventIsReportedOncePerMinuteWithItsCount() {
        let time = ManualTime(Instant(seconds: 1_000))
        let told = CollectedEvents()
        let filter = RepeatedEventFilter(told, time: time)
        for second in 0..<150 {
            filter.note("the disk is full", level: .info)
            if second.isMultiple(of: 50) { filter.note("another \(second)", level: .info) }
            time.advance(milliseconds: 1_000)
        }
        #expect(
            told.events == [
                "the disk is full", "another 0", "another 50", "the disk is full (repeated 59 times)",
                "another 100", "the disk is full (repeated 59 times)",
            ])
    }

    @Test func itsMemoryIsBounded() {
        let told = CollectedEvents()
        let filter = RepeatedEventFilter(told, time: ManualTime())
        for number in 0..<1_000 { filter.note("event \(number)", level: .info) }
        #expect(told.events.count == 1_000)
    }
}
