package import HealthSyncDomain
import HealthSyncPorts

/// The vocabulary of the receiving API: canonical JSON with sorted names, one object a record.
///
/// The profile stands in no body: it goes with every request as the field `Healthsync-Profile`.
package struct HTTPOutboxEncoder: OutboxEncoder {
    package let destination: String

    /// An encoder for the server at the base address `destination`, by which its queue is known.
    package init(destination: String) { self.destination = destination }

    package func item(for progress: RevisedRecord<DailyProgress>) -> NewOutboxItem {
        let (payload, ids) = ProgressEncoding(progress.record).entries(revision: progress.revision)
        return store(.progress, progress.sourceID, revision: progress.revision, payload: payload, memberIDs: ids)
    }

    package func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem {
        store(
            .sleep, session.sourceID, revision: session.revision, payload: SleepEncoding.payload(session),
            memberIDs: [session.sourceID])
    }

    package func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem {
        let id = SnapshotEncoding.id(of: snapshot.record.day)
        return store(
            .snapshots, id, revision: snapshot.revision, payload: SnapshotEncoding.payload(snapshot), memberIDs: [id])
    }

    package func tombstone(_ removed: RemovedRecord) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: removed.kind, dedupKey: "\(removed.sourceID)@\(removed.revision)",
            orderingKey: removed.orderingKey, revision: removed.revision, isTombstone: true, payload: [],
            memberIDs: [removed.sourceID])
    }

    package func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8] {
        SampleEncoding(kind: kind, unit: unit, revisions: revisions).payload(of: samples)
    }

    private func store(
        _ kind: RecordKind, _ sourceID: String, revision: Int, payload: [UInt8], memberIDs: [String]
    ) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(sourceID)@\(revision)", orderingKey: sourceID,
            revision: revision, payload: payload, memberIDs: memberIDs)
    }
}
