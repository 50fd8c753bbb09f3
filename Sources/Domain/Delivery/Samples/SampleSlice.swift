/// The samples of an interval that an outbox item stands for. They are not kept with the item: they stand in the pages,
/// and the request is made from there at the moment it is frozen.
package struct SampleSlice: Hashable, Sendable {
    /// The interval in which the samples start; a leaf when the item was made.
    package var interval: GridInterval
    /// How many samples there were when the item was made.
    package var count: Int
    /// Only these; empty for all samples of the interval.
    package var only: [SampleID]

    package init(interval: GridInterval, count: Int, only: [SampleID] = []) {
        self.interval = interval
        self.count = count
        self.only = only
    }
}
