import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Returns the items, those of raw samples with their payload.
    func filled(_ items: [OutboxItem]) async throws -> [OutboxItem] {
        guard let slices, items.contains(where: { $0.content.slice != nil }) else { return items }
        let filled = try await slices.filled(items)
        let samples = filled.reduce(0) { $0 + ($1.content.slice?.only.count ?? 0) }
        let bytes = filled.reduce(0) { $0 + $1.content.payload.count }
        if samples > 0 { sampleBytes = max(1, bytes / samples) }
        return filled
    }

    /// Returns the number of samples that fit into one batch, with a margin because their length varies.
    func samplesAtOnce(_ partition: BatchPartition) -> Int {
        max(1, min(partition.recordLimit, partition.byteLimit / sampleBytes * 98 / 100))
    }

    /// Returns whether a batch of raw samples is within the limits; an item too large for any batch is divided.
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

    /// Divides a batch of raw samples that was rejected as a whole: several items are sent one by one, a single item in
    /// halves, and a single sample becomes a dead letter.
    func divide(_ lease: BatchLease, reason: String, status: Int?) async throws {
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

    /// Adds the outcome of raw samples to the report.
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
