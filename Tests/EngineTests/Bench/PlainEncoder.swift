import HealthSyncDomain
import HealthSyncPorts

/// Items under the keys of the wire, with the record's own description as payload.
struct PlainEncoder: OutboxEncoder {
    let destination: String

    func items(for progress: RevisedRecord<DailyProgress>, removed: [String], profile: String) -> [NewOutboxItem] {
        [item(progress, kind: .progress, profile: profile)]
            + removed.map { tombstone($0, kind: .progress, revision: progress.revision, profile: profile) }
    }

    func item(for session: RevisedRecord<SleepSession>, profile: String) -> NewOutboxItem {
        item(session, kind: .sleep, profile: profile)
    }

    func item(for snapshot: RevisedRecord<ActivitySnapshot>, profile: String) -> NewOutboxItem {
        item(snapshot, kind: .snapshots, profile: profile)
    }

    func tombstone(_ sourceID: String, kind: RecordKind, revision: Int, profile: String) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(sourceID)@\(revision)", orderingKey: sourceID,
            revision: revision, isTombstone: true, payload: [], memberIDs: [sourceID])
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

    private func item<Record>(_ record: RevisedRecord<Record>, kind: RecordKind, profile: String) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(record.sourceID)@\(record.revision)",
            orderingKey: record.sourceID, revision: record.revision,
            payload: Array("\(profile) \(record.record)".utf8), memberIDs: [record.sourceID])
    }
}
