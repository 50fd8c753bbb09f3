/// The raw samples of one interval, as an outbox item names them. The samples are not stored with the item: its
/// payload is created from the pages when the batch is frozen.
package struct SampleSlice: Hashable, Sendable {
    /// The interval in which the samples start; a leaf when the item was created.
    package var interval: GridInterval
    /// The number of samples when the item was created.
    package var count: Int
    /// The samples, if not all of the interval; empty for all.
    package var only: [SampleID]

    package init(interval: GridInterval, count: Int, only: [SampleID] = []) {
        self.interval = interval
        self.count = count
        self.only = only
    }
}
