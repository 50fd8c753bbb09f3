/// The result of assigning hours to a shoe, or of clearing them.
package struct HourAttribution: Sendable, Hashable {
    /// The intervals that were assigned or cleared, ascending.
    package var ranges: [InstantRange]
    /// The milliseconds taken from each shoe within them.
    package var taken: [Shoe.ID: Int64]

    package init(ranges: [InstantRange], taken: [Shoe.ID: Int64]) {
        self.ranges = ranges
        self.taken = taken
    }
}
