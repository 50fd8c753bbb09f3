import HealthSyncDomain
import HealthSyncPorts

/// Enqueues exactly the changes that make the derived records of a server equal to the local ones. Missing and
/// changed records are sent with a revision above all known ones; surplus records are deleted.
struct RecordRepair {
    let ports: EnginePorts
    let destination: HealthDestination

    /// Enqueues the changes, one transaction for each year; returns their number. Each further `attempt` raises the
    /// revisions more, because a record that stays missing was deleted on the server under an unknown revision.
    func enqueue(_ result: RecordVerification.KindResult, attempt: Int) async throws -> RepairCounts {
        let revisions = RevisionClock(ports.time)
        let raise = attempt == 0 ? 0 : 1 << (4 * attempt)
        var counts = RepairCounts()
        var sent: [String: Int] = [:]
        for difference in result.differences where difference.kind == .missing || difference.kind == .changed {
            sent[difference.id] = Self.raised(difference.revision, by: raise)
        }
        if !sent.isEmpty {
            try await LocalRecords(ports: ports, hasNights: true).forEachYear(of: nil) { records in
                var resent = ResentRecords()
                if result.kind == .progress {
                    for var record in records.progress {
                        let known = record.record.entryIDs.compactMap { sent[$0] }
                        guard let highest = known.max() else { continue }
                        counts.recordsSent += known.count
                        record.revision = revisions.next(after: record.revision, highest)
                        resent.progress.append(record)
                    }
                } else if result.kind == .sleep {
                    for var record in records.sleep {
                        guard let highest = sent[record.sourceID] else { continue }
                        counts.recordsSent += 1
                        record.revision = revisions.next(after: record.revision, highest)
                        resent.sleep.append(record)
                    }
                } else {
                    for var record in records.snapshots {
                        guard let highest = sent[record.entry.id] else { continue }
                        counts.recordsSent += 1
                        record.revision = revisions.next(after: record.revision, highest)
                        resent.snapshots.append(record)
                    }
                }
                try await store(resent)
            }
        }
        try await delete(result, revisions, raise: raise, &counts)
        return counts
    }

    private func delete(
        _ result: RecordVerification.KindResult, _ revisions: RevisionClock, raise: Int, _ counts: inout RepairCounts
    ) async throws {
        let deleted = result.differences.filter { $0.kind == .surplus || $0.kind == .undeleted }
        guard !deleted.isEmpty else { return }
        let known = Dictionary(
            try await LocalRecords(ports: ports, hasNights: true).removed().map { ($0.sourceID, $0) },
            uniquingKeysWith: { $1 })
        var resent = ResentRecords()
        for difference in deleted {
            let before = known[difference.id]
            let revision = revisions.next(after: before?.revision, Self.raised(difference.revision, by: raise))
            resent.removed.append(
                Tombstone(
                    sourceID: difference.id, kind: result.kind, revision: revision,
                    orderingKey: before?.orderingKey ?? Self.orderingKey(of: difference.id, kind: result.kind)))
            counts.recordsDeleted += 1
        }
        try await store(resent)
    }

    private func store(_ resent: ResentRecords) async throws {
        var resent = resent
        resent.outbox =
            resent.progress.map { destination.item(for: $0) } + resent.sleep.map { destination.item(for: $0) }
        resent.outbox +=
            resent.snapshots.map { destination.item(for: $0) } + resent.removed.map { destination.tombstone($0) }
        if !resent.outbox.isEmpty { try await ports.tracking.resend(resent) }
    }

    /// Returns the ordering key of a record. Entries of a day (`steps/day/2024-01-15`, `steps/hour/2024-01-15/…`) are
    /// ordered by their day.
    private static func orderingKey(of id: String, kind: RecordKind) -> String {
        let parts = id.split(separator: "/", omittingEmptySubsequences: false)
        guard kind == .progress, parts.count > 2, parts[1] == "day" || parts[1] == "hour" else { return id }
        return "\(parts[0])/\(parts[2])"
    }

    /// Limited, because a server may return any number.
    private static func raised(_ revision: Int, by step: Int) -> Int {
        min(min(revision, RevisionClock.largest) + step, RevisionClock.largest)
    }
}
