package import HealthSyncDomain
package import HealthSyncPorts

/// Outbox items for the destination. Their keys depend on ids and revisions only: a record is enqueued once.
extension HealthDestination {
    /// Returns the item of one metric's day with its hours.
    package func item(for progress: RevisedRecord<DailyProgress>) -> NewOutboxItem {
        item(.progress, progress, payload: encoder.payload(of: progress), recordIDs: progress.record.entryIDs)
    }

    /// Returns the item of one session.
    package func item(for session: RevisedRecord<SleepSession>) -> NewOutboxItem {
        item(.sleep, session, payload: encoder.payload(of: session), recordIDs: [session.sourceID])
    }

    /// Returns the item of one snapshot.
    package func item(for snapshot: RevisedRecord<ActivitySnapshot>) -> NewOutboxItem {
        item(.snapshots, snapshot, payload: encoder.payload(of: snapshot), recordIDs: [snapshot.sourceID])
    }

    /// Returns the item that deletes a record or an entry, after the earlier revisions of its record.
    package func tombstone(_ removed: Tombstone) -> NewOutboxItem {
        NewOutboxItem(
            destination: address, kind: removed.kind, dedupKey: "\(removed.sourceID)@\(removed.revision)",
            orderingKey: removed.orderingKey, revision: removed.revision, isTombstone: true, payload: [],
            recordIDs: [removed.sourceID])
    }

    private func item<Record>(
        _ kind: RecordKind, _ record: RevisedRecord<Record>, payload: [UInt8], recordIDs: [String]
    ) -> NewOutboxItem {
        NewOutboxItem(
            destination: address, kind: kind, dedupKey: "\(record.sourceID)@\(record.revision)",
            orderingKey: record.sourceID, revision: record.revision, payload: payload, recordIDs: recordIDs)
    }
}
