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
