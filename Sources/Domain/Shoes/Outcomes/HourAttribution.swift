/// What attributing hours led to.
package struct HourAttribution: Sendable, Hashable {
    /// The stretches that were attributed or cleared, ascending.
    package var ranges: [InstantRange]
    /// Milliseconds that shoes lost within them, by shoe.
    package var taken: [Shoe.ID: Int64]

    package init(ranges: [InstantRange], taken: [Shoe.ID: Int64]) {
        self.ranges = ranges
        self.taken = taken
    }
}
