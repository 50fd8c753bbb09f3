import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// The items, those that stand for samples with their payload.
    func filled(_ items: [OutboxItem]) async throws -> [OutboxItem] {
        guard let slices, items.contains(where: { $0.content.slice != nil }) else { return items }
        let filled = try await slices.filled(items)
        let samples = filled.reduce(0) { $0 + ($1.content.slice?.only.count ?? 0) }
        let bytes = filled.reduce(0) { $0 + $1.content.payload.count }
        if samples > 0 { sampleBytes = max(1, bytes / samples) }
        return filled
    }

    /// As many samples as make one request, with some room, since their length varies.
    func samplesAtOnce(_ partition: BatchPartition) -> Int {
        max(1, min(partition.recordLimit, partition.byteLimit / sampleBytes * 98 / 100))
    }

    /// Whether a request of raw samples is one that may be sent; an item that is too large for any is cut.
    func isWithinLimits(
        _ lease: BatchLease, of items: [OutboxItem], _ partition: BatchPartition
    ) async throws -> Bool {
        guard items.count == 1, let ids = items[0].content.slice?.only, ids.count > 1 else { return true }
        let bytes = items[0].content.payload.count
        guard ids.count > partition.recordLimit || bytes > partition.byteLimit else { return true }
        let fitting = ids.count * 95 / 100 * partition.byteLimit / max(1, bytes)
        let size = max(1, min(partition.recordLimit, fitting))
        try await settle(lease, samples: SampleVerdicts(waiting: Self.groups(of: ids, size: size)), status: nil)
        return false
    }

    /// What a request of raw samples comes to that was refused as a whole: its items go one by one, one item goes in
    /// halves, and one sample is given up.
    func divide(_ lease: BatchLease, reason: String, status: Int) async throws {
        guard lease.batch.itemIDs.count == 1, let ids = lease.batch.sampleIDs.first else {
            try await settle(lease, items: lease.batch.itemIDs.map { _ in .retry }, status: status)
            return
        }
        var verdicts = SampleVerdicts()
        if ids.count > 1 {
            verdicts.waiting = Self.groups(of: ids, size: (ids.count + 1) / 2)
        } else {
            verdicts.rejected = ids.map { .init(id: $0, reason: reason) }
            verdicts.counts.rejected = ids.count
        }
        try await settle(lease, samples: verdicts, status: status)
    }

    /// Adds what a server said of samples to the report.
    func note(_ verdicts: SampleVerdicts) {
        report.samples += verdicts.counts
        report.dead += verdicts.rejected.count
        if verdicts.waiting.isEmpty, verdicts.rejected.isEmpty {
            report.delivered += 1
            report.slices += 1
        }
    }

    private func settle(_ lease: BatchLease, samples: SampleVerdicts, status: Int?) async throws {
        let isOurs = try await delivery.store.settle(
            lease, verdicts: [.samples(samples)], status: status, now: delivery.time.now())
        if isOurs { note(samples) }
    }

    private static func groups(of ids: [SampleID], size: Int) -> [[SampleID]] {
        stride(from: 0, to: ids.count, by: size).map { Array(ids[$0..<min($0 + size, ids.count)]) }
    }
}
