public import HealthSyncDomain
public import HealthSyncPorts

/// Makes batches for a destination, as a delivery does.
public struct DestinationBench: Sendable {
    private let destination: HealthDestination

    /// Creates a bench for `destination`.
    public init(_ destination: HealthDestination) { self.destination = destination }

    /// Returns the outgoing record of one metric's day.
    public func record(_ day: RevisedRecord<DailyProgress>) -> OutgoingRecord {
        OutgoingRecord(
            kind: .progress, ids: day.record.entryIDs, revision: day.revision,
            payload: destination.encoder.payload(of: day))
    }

    /// Returns the outgoing record of one sleep session.
    public func record(_ session: RevisedRecord<SleepSession>) -> OutgoingRecord {
        OutgoingRecord(
            kind: .sleep, ids: [session.sourceID], revision: session.revision,
            payload: destination.encoder.payload(of: session))
    }

    /// Returns the outgoing record of one day's activity snapshot.
    public func record(_ snapshot: RevisedRecord<ActivitySnapshot>) -> OutgoingRecord {
        OutgoingRecord(
            kind: .snapshots, ids: [snapshot.sourceID], revision: snapshot.revision,
            payload: destination.encoder.payload(of: snapshot))
    }

    /// Returns the deletion of the record or entry with `id`.
    public func tombstone(_ id: String, kind: RecordKind, revision: Int) -> OutgoingRecord {
        OutgoingRecord(kind: kind, ids: [id], revision: revision, isTombstone: true, payload: [])
    }

    /// Returns the batch of `records`, which are of one kind.
    public func batch(_ records: [OutgoingRecord], capabilities: DestinationCapabilities) -> OutboxBatch {
        let items = records.enumerated().map { index, record in
            OutboxItem(
                id: Int64(index + 1),
                content: NewOutboxItem(
                    destination: destination.address, kind: record.kind, dedupKey: "\(record.ids)@\(record.revision)",
                    orderingKey: "\(record.ids)", revision: record.revision, isTombstone: record.isTombstone,
                    payload: record.payload, recordIDs: record.ids),
                state: .leased, attempts: 0, lastStatus: nil, lastReason: nil, createdAt: Instant(seconds: 0),
                updatedAt: Instant(seconds: 0))
        }
        let content = destination.sender.content(of: records, capabilities: capabilities)
        return OutboxBatch(of: items, content: content, destination: destination.address, digest: Self.digest)
    }

    /// Returns the capabilities of the destination.
    ///
    /// - Throws: `ContractViolation` if they are not available.
    public func capabilities() async throws -> DestinationCapabilities {
        switch await destination.sender.capabilities() {
        case .capabilities(let capabilities): return capabilities
        case .failed(let verdict): throw ContractViolation("no capabilities: \(verdict)")
        }
    }

    /// Two FNV-1a hashes: enough for keys that must differ in a test.
    private static func digest(_ bytes: [UInt8]) -> ContentDigest {
        func hash(from start: UInt64) -> UInt64 {
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return ContentDigest(high: hash(from: 0xCBF2_9CE4_8422_2325), low: hash(from: 0x9E37_79B9_7F4A_7C15))
    }
}
