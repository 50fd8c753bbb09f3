/// A kind of delivered record.
public struct RecordKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The name: `progress`, `sleep`, `snapshots`, `steps`.
    public let rawValue: String
    /// Creates the kind with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Compares the bytes of the names.
    public static func == (left: RecordKind, right: RecordKind) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(rawValue)) }

    /// Hour and day entries of metrics.
    public static let progress = RecordKind(rawValue: "progress")
    /// Sleep sessions.
    public static let sleep = RecordKind(rawValue: "sleep")
    /// Activity snapshots.
    public static let snapshots = RecordKind(rawValue: "snapshots")
    /// Raw step samples.
    public static let steps = RecordKind(rawValue: "steps")

    /// Returns the kind of the raw samples of `type`: `steps`, `samples/heartRate`.
    public static func samples(of type: SampleType) -> RecordKind {
        type == SampleTypeDefinition.stepCount.type ? .steps : RecordKind(rawValue: "samples/\(type.shortName)")
    }

    /// Whether the records are raw samples.
    public var isOfSamples: Bool { self == .steps || rawValue.hasBytePrefix("samples/") }
}

/// A record to deliver, as it is added to the outbox.
package struct NewOutboxItem: Sendable, Hashable {
    /// The address of the destination.
    package var destination: String
    package var kind: RecordKind
    /// The record's id and revision; unique for destination and kind.
    package var dedupKey: String
    /// Items with the same ordering key are delivered one after the other, oldest first.
    package var orderingKey: String
    package var revision: Int
    /// Whether the item is a deletion.
    package var isTombstone: Bool
    /// The bytes that the destination's encoder returned; empty for a tombstone.
    package var payload: [UInt8]
    /// The ids of the records in the payload, in order; of a tombstone the id that it deletes.
    package var recordIDs: [String]
    /// The raw samples of the item; `nil` for an item with a payload.
    package var slice: SampleSlice?

    /// The record for people: its key without revision, or the entry that a deletion removes, with shortened UUIDs.
    package var name: String { UUIDText.folded(isTombstone ? recordIDs.first ?? orderingKey : orderingKey) }

    /// Creates an item of the raw samples of `slice`.
    package init(destination: String, kind: RecordKind, dedupKey: String, slice: SampleSlice) {
        self.init(
            destination: destination, kind: kind, dedupKey: dedupKey, orderingKey: dedupKey, revision: 0, payload: [],
            recordIDs: [])
        self.slice = slice
    }

    package init(
        destination: String, kind: RecordKind, dedupKey: String, orderingKey: String, revision: Int,
        isTombstone: Bool = false, payload: [UInt8], recordIDs: [String]
    ) {
        self.destination = destination
        self.kind = kind
        self.dedupKey = dedupKey
        self.orderingKey = orderingKey
        self.revision = revision
        self.isTombstone = isTombstone
        self.payload = payload
        self.recordIDs = recordIDs
    }
}

/// The state of an outbox item.
public enum DeliveryState: String, Sendable, Codable, CaseIterable {
    /// Waiting to be sent.
    case pending
    /// Claimed by a run for a limited time.
    case leased
    /// Stored by the destination.
    case delivered
    /// Rejected permanently; kept for the user to inspect, retry or drop.
    case dead
}

/// An item as it is stored in the outbox.
package struct OutboxItem: Sendable, Hashable, Identifiable {
    package var id: Int64
    package var content: NewOutboxItem
    package var state: DeliveryState
    /// The number of attempts that counted against the item.
    package var attempts: Int
    /// The destination's last status code, such as an HTTP status, if there was one.
    package var lastStatus: Int?
    /// Why the item is in its state.
    package var lastReason: String?
    /// The id that the destination gave to a delivered record, if it stated one.
    package var backendID: String?
    package var createdAt: Instant
    package var updatedAt: Instant

    package init(
        id: Int64, content: NewOutboxItem, state: DeliveryState, attempts: Int, lastStatus: Int?, lastReason: String?,
        backendID: String? = nil, createdAt: Instant, updatedAt: Instant
    ) {
        self.id = id
        self.content = content
        self.state = state
        self.attempts = attempts
        self.lastStatus = lastStatus
        self.lastReason = lastReason
        self.backendID = backendID
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

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

/// The revision of a sample that was changed or deleted after it may have been delivered. All other samples have
/// revision 0, and nothing is stored for them.
public struct SampleRevision: Hashable, Sendable {
    /// The sample.
    public var id: SampleID
    /// The revision of the sample's latest form, or of its deletion.
    public var revision: Int
    /// Whether the sample is deleted.
    public var isDeleted: Bool

    /// Creates the revision of one sample.
    public init(id: SampleID, revision: Int, isDeleted: Bool) {
        self.id = id
        self.revision = revision
        self.isDeleted = isDeleted
    }
}
