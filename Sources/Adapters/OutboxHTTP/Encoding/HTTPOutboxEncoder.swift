package import HealthSyncDomain
import HealthSyncPorts

/// The vocabulary of the receiving API: canonical JSON with sorted names, one object a record.
///
/// The profile stands in no body: it goes with every request as the field `Healthsync-Profile`.
package struct HTTPOutboxEncoder: OutboxEncoder {
    package let destination: String

    /// An encoder for the server at the base address `destination`, by which its queue is known.
    package init(destination: String) { self.destination = destination }

    package func items(for progress: RevisedRecord<DailyProgress>, removed: [String]) -> [NewOutboxItem] {
        let (payload, ids) = ProgressEncoding(progress.record).entries(revision: progress.revision)
        let item = store(
            .progress, progress.sourceID, revision: progress.revision, payload: payload, memberIDs: ids)
        return [item] + removed.map { delete($0, of: progress) }
    }

    package func removal(of progress: RevisedRecord<DailyProgress>) -> [NewOutboxItem] {
        ProgressEncoding(progress.record).entryIDs().map { delete($0, of: progress) }
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

    package func tombstone(_ sourceID: String, kind: RecordKind, revision: Int) -> NewOutboxItem {
        delete(sourceID, kind: kind, revision: revision, orderingKey: sourceID)
    }

    package func entryIDs(of progress: DailyProgress) -> [String] { ProgressEncoding(progress).entryIDs() }

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

    /// Behind the earlier revision of the day, which still holds the entry.
    private func delete(_ entryID: String, of progress: RevisedRecord<DailyProgress>) -> NewOutboxItem {
        delete(entryID, kind: .progress, revision: progress.revision, orderingKey: progress.sourceID)
    }

    private func delete(_ id: String, kind: RecordKind, revision: Int, orderingKey: String) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(id)@\(revision)", orderingKey: orderingKey,
            revision: revision, isTombstone: true, payload: [], memberIDs: [id])
    }
}
