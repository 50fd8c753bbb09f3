import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Returns the next batch to send, frozen and leased; `nil` if none exists now, or the run is ending.
    func nextBatch() async throws -> Held? {
        while mayBegin() {
            if let held = ready.first {
                ready.removeFirst()
                if isLongEnough(held) { return held }
                try await giveBack(held.lease, reason: "not sent in time", status: nil, notBefore: delivery.time.now())
                continue
            }
            let now = delivery.time.now()
            let until = now.advanced(byMilliseconds: delivery.options.leaseMilliseconds)
            if let lease = try await delivery.store.claimBatch(
                destination: delivery.destination, owner: owner, now: now, leaseUntil: until)
            {
                if try await isAccepted(lease) { return Held(lease: lease, until: until) }
                continue
            }
            guard try await claimItems(now: now, until: until) else { return nil }
        }
        return nil
    }

    /// Gives back the batches that were leased and not sent.
    func giveBackReady() async throws {
        for held in ready {
            try await giveBack(held.lease, reason: "not sent yet", status: nil, notBefore: delivery.time.now())
        }
        ready = []
    }

    private func mayBegin() -> Bool {
        guard ending == nil else { return false }
        if Task.isCancelled {
            ending = .cancelled
        } else {
            noteHold()
            if ending == nil, delivery.time.now() >= deadline { ending = .deadline }
        }
        return ending == nil && holdUntil <= delivery.time.now()
    }

    private func isLongEnough(_ held: Held) -> Bool {
        held.until.milliseconds - delivery.time.now().milliseconds > delivery.options.requestTimeoutMilliseconds
    }

    /// Claims and freezes items of the first kind that has some; returns false if no kind has any.
    private func claimItems(now: Instant, until: Instant) async throws -> Bool {
        for kind in kinds {
            let partition = BatchPartition(
                recordLimit: recordLimit(of: kind), byteLimit: max(1, capabilities.maxBatchBytes - Self.wrapperBytes),
                groupsTombstones: capabilities.groupsSampleDeletions && kind.isOfSamples)
            let limit = kind.isOfSamples ? samplesAtOnce(partition) : partition.recordLimit
            let (claimed, fence) = try await delivery.store.claimItems(
                destination: delivery.destination, kinds: [kind], limit: limit, byteLimit: partition.byteLimit,
                owner: owner, now: now, leaseUntil: until)
            if claimed.isEmpty { continue }
            let items = try await filled(claimed)
            for part in partition.parts(of: items) {
                let batch = delivery.batch(of: part, capabilities: capabilities)
                guard
                    let lease = try await delivery.store.freeze(batch, owner: owner, fence: fence, leaseUntil: until),
                    try await isAccepted(lease), try await isWithinLimits(lease, of: part, partition)
                else { continue }
                ready.append(Held(lease: lease, until: until))
            }
            return true
        }
        return false
    }

    private func recordLimit(of kind: RecordKind) -> Int {
        let limits = [
            capabilities.limit(of: kind), state.batchLimits[kind], isProbing ? delivery.options.probeRecords : nil,
        ]
        return max(1, limits.compactMap(\.self).min() ?? 1)
    }

    /// Returns whether the destination accepts the batch. If not, the batch is dissolved: records stay in the outbox,
    /// and deletions become dead letters, because a waiting deletion would block every later revision of its record.
    private func isAccepted(_ lease: BatchLease) async throws -> Bool {
        let batch = lease.batch
        let verdict: ItemVerdict
        if batch.operation == .delete && !capabilities.acceptsDeletions {
            verdict = .rejected(reason: "this destination does not accept deletions")
        } else if let limit = capabilities.limit(of: batch.kind),
            capabilities.acceptsCompression || !batch.isCompressed,
            capabilities.returnsVerdicts || batch.itemIDs.count <= limit,
            capabilities.groupsSampleDeletions || batch.operation == .store || batch.itemIDs.count == 1
        {
            return true
        } else {
            verdict = .retry
        }
        let isOurs = try await delivery.store.settle(
            lease, verdicts: batch.itemIDs.map { _ in verdict }, status: nil, now: delivery.time.now())
        if isOurs, verdict != .retry {
            report.unsupportedDeletions += batch.itemIDs.count
            report.dead += batch.itemIDs.count
        }
        return false
    }

    /// Bytes reserved for what surrounds the records.
    private static let wrapperBytes = 64
}
