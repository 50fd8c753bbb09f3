/// A page of samples in the order in which they were stored.
package struct ReceivedSamplePage: Hashable, Sendable {
    package var batch: ReceivedSampleBatch
    /// The position of the last sample, where the next page continues; `nil` on the last page.
    package var next: Int64?

    package init(batch: ReceivedSampleBatch, next: Int64?) {
        self.batch = batch
        self.next = next
    }
}
