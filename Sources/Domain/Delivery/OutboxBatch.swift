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

/// What a sender puts into a batch: a record, the raw samples of an interval, or a tombstone.
public struct OutgoingRecord: Sendable, Hashable {
    /// The kind of the record.
    public let kind: RecordKind
    /// The ids of the records in the payload, in order: of a metric's day its own entry and those of its hours, of a
    /// session or snapshot its id, of a tombstone the id that it deletes. Empty for raw samples.
    public let ids: [String]
    /// The revision of the record: a higher one replaces a lower one.
    public let revision: Int
    /// Whether the record is a deletion.
    public let isTombstone: Bool
    /// The bytes that the encoder returned; empty for a tombstone.
    public let payload: [UInt8]

    /// Creates a record with these parts.
    public init(kind: RecordKind, ids: [String], revision: Int, isTombstone: Bool = false, payload: [UInt8]) {
        self.kind = kind
        self.ids = ids
        self.revision = revision
        self.isTombstone = isTombstone
        self.payload = payload
    }

    /// Creates the record of `item`.
    package init(_ item: NewOutboxItem) {
        self.init(
            kind: item.kind, ids: item.recordIDs, revision: item.revision, isTombstone: item.isTombstone,
            payload: item.payload)
    }
}

/// The contents of a batch, created by its sender.
public struct BatchContent: Sendable, Hashable {
    /// The bytes to send.
    public var body: [UInt8]
    /// The place within the destination, such as a URL path; may be empty.
    public var path: String
    /// Whether the body is compressed by gzip.
    package var isCompressed = false

    /// Bytes for a place within the destination.
    public init(body: [UInt8], path: String = "") {
        self.body = body
        self.path = path
    }
}

extension OutboxBatch {
    /// Creates the batch of `items` with `content`. `digest` returns the first 16 bytes of the SHA-256 of its argument.
    package init(
        of items: [OutboxItem], content: BatchContent, destination: String, digest: ([UInt8]) -> ContentDigest
    ) {
        let kind = items.first?.content.kind ?? RecordKind(rawValue: "")
        let operation: BatchOperation = items.first?.content.isTombstone ?? false ? .delete : .store
        let place = "\(destination)\u{1F}\(operation.rawValue)\u{1F}\(content.path)\u{1F}"
        self.init(
            key: Self.key(digest(Array(place.utf8) + content.body)), destination: destination, kind: kind,
            operation: operation, path: content.path, body: content.body, itemIDs: items.map(\.id),
            recordIDs: items.map(\.content.recordIDs))
        isCompressed = content.isCompressed
        if kind.isOfSamples, operation == .store { sampleIDs = items.map { $0.content.slice?.only ?? [] } }
    }

    /// Returns a UUID version 8 (RFC 9562, section 5.8) of the digest.
    private static func key(_ digest: ContentDigest) -> String {
        SampleID(
            high: digest.high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: digest.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        ).description
    }
}
