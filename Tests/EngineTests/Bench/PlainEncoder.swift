import HealthSyncDomain
import HealthSyncPorts

/// Items under the keys of the wire, with the record's own description as payload.
struct PlainEncoder: OutboxEncoder {
    let destination: String

    func items(for progress: RevisedRecord<DailyProgress>, removed: [String]) -> [NewOutboxItem] {
        [item(progress, kind: .progress)]
            + removed.map { delete($0, kind: .progress, revision: progress.revision, behind: progress.sourceID) }
    }

    func removal(of progress: RevisedRecord<DailyProgress>) -> [NewOutboxItem] {
        entryIDs(of: progress.record).map {
            delete($0, kind: .progress, revision: progress.revision, behind: progress.sourceID)
        }
    }

    func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem {
        item(session, kind: .sleep)
    }

    func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem {
        item(snapshot, kind: .snapshots)
    }

    func tombstone(_ sourceID: String, kind: RecordKind, revision: Int) -> NewOutboxItem {
        delete(sourceID, kind: kind, revision: revision, behind: sourceID)
    }

    func entryIDs(of progress: DailyProgress) -> [String] {
        ["\(progress.metric)/day/\(progress.day)"]
            + progress.hours.map { "\(progress.metric)/hour/\(RFC3339.string($0.start))" }
    }

    /// Each sample as `id@revision`.
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

    private func delete(_ id: String, kind: RecordKind, revision: Int, behind orderingKey: String) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(id)@\(revision)", orderingKey: orderingKey,
            revision: revision, isTombstone: true, payload: [], memberIDs: [id])
    }
}
