/// The merged amount of a part of an hour.
package struct MergedStretch: Sendable, Hashable {
    /// The calendar day that the hour counts for.
    package let day: CalendarDay
    /// The first instant of the hour.
    package let hour: Instant
    /// The part of the hour.
    package let range: InstantRange
    /// The amount in the unit of the merge.
    package let amount: Double
}
