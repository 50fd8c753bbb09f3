import HealthSyncDomain
import Testing

@Test func nonexistentDaysAreRejected() {
    #expect(CalendarDay("2024-02-30") == nil)
    #expect(CalendarDay("2024-02-29")?.description == "2024-02-29")
}
