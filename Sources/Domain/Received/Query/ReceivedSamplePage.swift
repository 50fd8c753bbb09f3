/// Samples in the order in which they were stored.
package struct ReceivedSamplePage: Hashable, Sendable {
    package var batch: ReceivedSampleBatch
    /// Position of the last one: where the next page goes on; `nil` when there is nothing after this page.
    package var next: Int64?

    package init(batch: ReceivedSampleBatch, next: Int64?) {
        self.batch = batch
        self.next = next
    }
}
