/// What of an hour's merged quantity falls in one stretch of it.
package struct MergedStretch: Sendable, Hashable {
    /// The calendar day that the hour counts for.
    package let day: CalendarDay
    /// The first instant of the hour.
    package let hour: Instant
    /// The stretch; within the hour.
    package let range: InstantRange
    /// In the unit of the merge.
    package let amount: Double
}
