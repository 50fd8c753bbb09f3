/// The operation of a batch at its destination. The raw values are stored in the outbox and are part of every batch
/// key, so they never change.
public enum BatchOperation: String, Sendable, Hashable {
    /// Stores records: a record replaces one with the same id and a lower revision.
    case store = "POST"
    /// Deletes the record or entry with the batch's only id, unless a higher revision is stored, or several raw samples
    /// in the same way.
    case delete = "DELETE"
}

/// A batch of records, committed to the outbox before it is sent: a retry sends the same bytes under the same key.
public struct OutboxBatch: Sendable, Hashable {
    /// The idempotency key, a UUID. It depends on destination, operation, path and bytes only.
    public package(set) var key: String
    /// The address of the destination.
    public package(set) var destination: String
    /// The kind of all records in the batch.
    public package(set) var kind: RecordKind
    /// Whether the batch stores or deletes records.
    public package(set) var operation: BatchOperation
    /// The place within the destination that the sender chose, such as a URL path; may be empty.
    public package(set) var path: String
    /// The bytes that the sender returned.
    public package(set) var body: [UInt8]
    /// Whether the body is compressed by gzip.
    package var isCompressed = false
    /// The outbox items inside, in the order of the body.
    package var itemIDs: [Int64]
    /// The ids of the records of each item, in the order of the items.
    public package(set) var recordIDs: [[String]]
    /// The ids of the raw samples of each item, in the order of the items; empty for records.
    public package(set) var sampleIDs: [[SampleID]] = []
    /// How often the batch was sent without a usable answer.
    package var sendCount: Int

    package init(
        key: String, destination: String, kind: RecordKind, operation: BatchOperation = .store, path: String = "",
        body: [UInt8], itemIDs: [Int64], recordIDs: [[String]], sendCount: Int = 0
    ) {
        self.key = key
        self.destination = destination
        self.kind = kind
        self.operation = operation
        self.path = path
        self.body = body
        self.itemIDs = itemIDs
        self.recordIDs = recordIDs
        self.sendCount = sendCount
    }

    /// The number of records or raw samples.
    package var recordCount: Int {
        recordIDs.reduce(0) { $0 + $1.count } + sampleIDs.reduce(0) { $0 + $1.count }
    }

    /// Returns whether the item at `index` is a single raw sample.
    package func isOneSample(_ index: Int) -> Bool { index < sampleIDs.count && sampleIDs[index].count == 1 }
}

/// A claim on a batch. Every later change must name it, so that a run whose lease expired changes nothing.
package struct BatchLease: Sendable, Hashable {
    package var batch: OutboxBatch
    package var owner: String
    package var fence: Int64

    package init(batch: OutboxBatch, owner: String, fence: Int64) {
        self.batch = batch
        self.owner = owner
        self.fence = fence
    }
}

/// The state of a destination that is stored between runs.
package struct DestinationState: Sendable, Hashable {
    /// Nothing is sent before this instant.
    package var notBefore: Instant?
    /// Why delivery is paused until the user acts; `nil` if it is not paused.
    package var pausedReason: String?
    /// Whether the destination reported that it no longer exists.
    package var isDisabled = false
    /// The largest number of records in a batch, by kind, derived from batches that were too large.
    package var batchLimits: [RecordKind: Int] = [:]
    /// The number of failures of the destination in a row.
    package var consecutiveFailures = 0

    package init() {}

    /// Halves the limit of the kind of `batch`, which was too large.
    package mutating func lowerLimit(after batch: OutboxBatch) {
        batchLimits[batch.kind] = min(batchLimits[batch.kind] ?? .max, max(1, (batch.recordCount + 1) / 2))
    }

    /// Doubles the limit of the kind of `batch`, of which `most` records are allowed, after a batch with more than half of
    /// it was delivered, because limits change, and one large record must not make all later batches small. Returns whether
    /// it was doubled.
    package mutating func raiseLimit(after batch: OutboxBatch, most: Int) -> Bool {
        guard let learned = batchLimits[batch.kind], batch.recordCount > learned / 2 else { return false }
        batchLimits[batch.kind] = learned < most / 2 ? learned * 2 : nil
        return true
    }
}
