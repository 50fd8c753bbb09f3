/// A request, committed before its first byte leaves: a retry sends the same bytes under the same key.
package struct OutboxBatch: Sendable, Hashable {
    /// The `Idempotency-Key`: depends on destination, path and bytes only.
    package var key: String
    package var destination: String
    package var kind: RecordKind
    /// `POST` or `DELETE`.
    package var method: String
    /// Path below the destination's base address, such as `/api/v1/progress`.
    package var path: String
    /// The body as it leaves; empty for DELETE.
    package var body: [UInt8]
    /// Whether the body is compressed by gzip.
    package var isCompressed = false
    /// The outbox items inside, in the order of the body.
    package var itemIDs: [Int64]
    /// Ids of the wire records of each item, parallel to `itemIDs`.
    package var memberIDs: [[String]]
    /// Ids of the raw samples of each item, parallel to `itemIDs`; empty for records.
    package var sampleIDs: [[SampleID]] = []
    /// How often it was sent without a usable answer.
    package var sendCount: Int

    package init(
        key: String, destination: String, kind: RecordKind, method: String, path: String, body: [UInt8],
        itemIDs: [Int64], memberIDs: [[String]], sendCount: Int = 0
    ) {
        self.key = key
        self.destination = destination
        self.kind = kind
        self.method = method
        self.path = path
        self.body = body
        self.itemIDs = itemIDs
        self.memberIDs = memberIDs
        self.sendCount = sendCount
    }

    /// Whether the item at `index` stands for one sample.
    package func isOneSample(_ index: Int) -> Bool { index < sampleIDs.count && sampleIDs[index].count == 1 }
}

/// A claim on a batch: every later change must name it, so that a sender whose lease ran out changes nothing.
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

/// What is remembered of a server between runs.
package struct DestinationState: Sendable, Hashable {
    /// Nothing is sent before this instant (`Retry-After`).
    package var notBefore: Instant?
    /// Why sending is paused until the user does something; `nil` when it is not.
    package var pausedReason: String?
    /// Whether the server said it is gone for good (410).
    package var isDisabled = false
    /// Learned largest number of records a request, by kind; absent where no 413 was met.
    package var batchLimits: [RecordKind: Int] = [:]
    /// Destination-level failures in a row.
    package var consecutiveFailures = 0

    package init() {}
}
