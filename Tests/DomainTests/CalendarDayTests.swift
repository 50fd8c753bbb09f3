import HealthSyncDomain
import Testing

@Test func nonexistentDaysAreRejected() {
    #expect(CalendarDay("2024-02-30") == nil)
    #expect(CalendarDay("2024-02-29")?.description == "2024-02-29")
}

/// Returns whether `Sequence.contains`, as generic code calls it, finds `element` without iterating.
private func isFound<Days: Sequence>(_ element: Days.Element, in days: Days) -> Bool? where Days.Element: Equatable {
    days._customContainsEquatableElement(element)
}

@Test func aDayIsFoundInARangeWithoutComparingEachDay() throws {
    let first = try #require(CalendarDay("2024-02-28"))
    let days = try #require(DayRange(first, through: first.advanced(by: 2)))
    for offset in -1...3 {
        let day = first.advanced(by: offset)
        #expect(isFound(day, in: days) == Array(days).contains(day))
    }
}
