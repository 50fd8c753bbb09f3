import HealthSyncDomain
import HealthSyncPorts

/// Enqueues exactly the changes that make a server's samples of one type equal to the local ones. Missing and changed
/// samples are sent; surplus samples are deleted.
struct SampleRepair {
    let intervals: any SyncIntervalStore
    let destination: String
    /// The range that was compared; `nil` for all samples.
    let range: InstantRange?

    /// Enqueues the changes in one transaction; returns the numbers of samples to be sent and deleted.
    ///
    /// - Parameter attempt: 0 for the first attempt. A sample that is still missing after it was sent was deleted on
    ///   the server under an unknown higher revision, so each further attempt raises the revision more.
    func enqueue(_ result: VerificationReport.TypeResult, attempt: Int) async throws -> RepairCounts {
        guard let known = try await intervals.layeredTypes()[result.type] else { return RepairCounts() }
        let revisions = try await intervals.revisions(of: result.type)
        let leaves = IntervalSequence(intervals: try await intervals.intervals(of: result.type))
        var commit = LayeringCommit(type: result.type, rule: known.rule)
        var sent: [SyncInterval: [SampleID]] = [:]
        var counts = RepairCounts()
        for sample in result.differences.flatMap(\.samples) {
            let revision = revisions[sample.id]?.revision ?? 0
            let next = Self.revision(of: sample, known: revision, attempt: attempt)
            if next > revision {
                commit.revisions.append(
                    SampleRevision(id: sample.id, revision: next, isDeleted: sample.kind == .surplus))
            }
            if sample.kind == .surplus {
                commit.outbox.append(
                    .tombstone(of: sample.id, type: result.type, destination: destination, revision: next))
                counts.deleted += 1
            } else if let leaf = leaves.containing(sample.start) {
                sent[leaf, default: []].append(sample.id)
                counts.sent += 1
            }
        }
        let offered = try await intervals.deliveries(of: result.type)[destination] ?? [:]
        for (leaf, ids) in sent.sorted(by: { $0.key.interval.start < $1.key.interval.start }) {
            let isWhole =
                ids.count == leaf.figures.sampleCount
                || (offered[leaf.interval.start] == nil && !wasCompared(leaf.interval))
            commit.outbox.append(
                .slice(
                    of: leaf, type: result.type, destination: destination, generation: known.generation + 1,
                    only: isWhole ? [] : ids))
        }
        _ = try await intervals.commit(commit)
        return counts
    }

    /// Returns whether the whole interval was compared. If only a part was, the server may lack other samples of it;
    /// and sending a part would mark the interval as synced.
    private func wasCompared(_ interval: GridInterval) -> Bool {
        range.map { $0.start <= interval.start && interval.end <= $0.end } ?? true
    }

    private static func revision(of sample: SampleDifference, known: Int, attempt: Int) -> Int {
        let (highest, step) =
            switch sample.kind {
            case .missing: (known, attempt == 0 ? 0 : 1 << (4 * attempt))
            case .changed, .surplus: (max(known, sample.revision), 1)
            }
        // A server may return any number.
        return max(known, min(min(highest, RevisionClock.largest) + step, RevisionClock.largest))
    }
}
