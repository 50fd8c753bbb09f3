/// A kind of record on the wire. Open: a plug-in may bring its own.
public struct RecordKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The name: `progress`, `sleep`, `snapshots`, `steps`.
    public let rawValue: String
    /// The kind of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Hour and day entries of metrics.
    public static let progress = RecordKind(rawValue: "progress")
    /// Sleep sessions.
    public static let sleep = RecordKind(rawValue: "sleep")
    /// Activity snapshots.
    public static let snapshots = RecordKind(rawValue: "snapshots")
    /// Raw step samples.
    public static let steps = RecordKind(rawValue: "steps")

    /// Raw samples of `type`: `steps`, `samples/heartRate`.
    public static func samples(of type: SampleType) -> RecordKind {
        type == SampleTypeDefinition.stepCount.type ? .steps : RecordKind(rawValue: "samples/\(type.shortName)")
    }

    /// Whether it is one of raw samples.
    public var isOfSamples: Bool { self == .steps || rawValue.hasPrefix("samples/") }
}

/// What is to be sent, as it is put into the outbox.
package struct NewOutboxItem: Sendable, Hashable {
    /// The server, by its base address.
    package var destination: String
    package var kind: RecordKind
    /// The record's id and revision; unique for destination and kind.
    package var dedupKey: String
    /// Items with the same ordering key are sent one after the other, oldest first.
    package var orderingKey: String
    package var revision: Int
    /// Whether it deletes instead of stores.
    package var isTombstone: Bool
    /// The canonical JSON of the record: one object, or several joined by commas; empty for a tombstone.
    package var payload: [UInt8]
    /// Ids of the wire records in the payload, in order, by which the server's results are matched; of a tombstone the
    /// one that it deletes.
    package var memberIDs: [String]
    /// The samples that it stands for; `nil` for an item that holds its payload itself.
    package var slice: SampleSlice?

    /// An item that stands for the samples of `slice`.
    package init(destination: String, kind: RecordKind, dedupKey: String, slice: SampleSlice) {
        self.init(
            destination: destination, kind: kind, dedupKey: dedupKey, orderingKey: dedupKey, revision: 0, payload: [],
            memberIDs: [])
        self.slice = slice
    }

    package init(
        destination: String, kind: RecordKind, dedupKey: String, orderingKey: String, revision: Int,
        isTombstone: Bool = false, payload: [UInt8], memberIDs: [String]
    ) {
        self.destination = destination
        self.kind = kind
        self.dedupKey = dedupKey
        self.orderingKey = orderingKey
        self.revision = revision
        self.isTombstone = isTombstone
        self.payload = payload
        self.memberIDs = memberIDs
    }
}

/// Where an item is on its way.
public enum DeliveryState: String, Sendable, Codable, CaseIterable {
    /// Waits to be sent.
    case pending
    /// Held by a sender for a while.
    case leased
    /// The server has it.
    case delivered
    /// Refused for good; kept for the user to look at, retry or drop.
    case dead
}

/// An item as the outbox holds it.
package struct OutboxItem: Sendable, Hashable, Identifiable {
    package var id: Int64
    package var content: NewOutboxItem
    package var state: DeliveryState
    /// Attempts that counted against the item.
    package var attempts: Int
    /// The last HTTP status, if there was one.
    package var lastStatus: Int?
    /// Why it is where it is.
    package var lastReason: String?
    package var createdAt: Instant
    package var updatedAt: Instant

    package init(
        id: Int64, content: NewOutboxItem, state: DeliveryState, attempts: Int, lastStatus: Int?, lastReason: String?,
        createdAt: Instant, updatedAt: Instant
    ) {
        self.id = id
        self.content = content
        self.state = state
        self.attempts = attempts
        self.lastStatus = lastStatus
        self.lastReason = lastReason
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
