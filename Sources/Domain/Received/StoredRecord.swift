/// A stored record, with the times at which the server created and last changed it.
package struct StoredRecord: Hashable, Sendable {
    package var record: ReceivedRecord
    package var createdAt: Instant
    package var updatedAt: Instant

    package init(record: ReceivedRecord, createdAt: Instant, updatedAt: Instant) {
        self.record = record
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
