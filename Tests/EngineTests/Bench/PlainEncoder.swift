import HealthSyncDomain
import HealthSyncPorts

/// An encoder with the keys of the wire format and the record's description as payload.
struct PlainEncoder: OutboxEncoder {
    let destination: String

    func item(for progress: RevisedRecord<DailyProgress>) -> NewOutboxItem {
        item(progress, kind: .progress)
    }

    func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem {
        item(session, kind: .sleep)
    }

    func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem {
        item(snapshot, kind: .snapshots)
    }

    func tombstone(_ removed: RemovedRecord) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: removed.kind, dedupKey: "\(removed.sourceID)@\(removed.revision)",
            orderingKey: removed.orderingKey, revision: removed.revision, isTombstone: true, payload: [],
            memberIDs: [removed.sourceID])
    }

    /// Encodes each sample as `id@revision`.
    func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8] {
        Array(samples.ids.map { "\($0)@\(revisions[$0]?.revision ?? 0)" }.joined(separator: ",").utf8)
    }

    private func item<Record>(_ record: RevisedRecord<Record>, kind: RecordKind) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(record.sourceID)@\(record.revision)",
            orderingKey: record.sourceID, revision: record.revision,
            payload: Array("\(record.record)".utf8), memberIDs: [record.sourceID])
    }
}
