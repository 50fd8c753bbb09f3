import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// The next batch to send, frozen and leased; `nil` when there is none now, or the run is to end.
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
                if try await isTakenByServer(lease) { return Held(lease: lease, until: until) }
                continue
            }
            guard try await claimItems(now: now, until: until) else { return nil }
        }
        return nil
    }

    /// Gives back what was leased and not sent.
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

    /// Claims and freezes items of the first kind that has some; false when none has.
    private func claimItems(now: Instant, until: Instant) async throws -> Bool {
        for kind in kinds {
            let partition = BatchPartition(
                recordLimit: recordLimit(of: kind), byteLimit: max(1, capabilities.maxBodyBytes - Self.wrapperBytes))
            let limit = kind.isOfSamples ? samplesAtOnce(partition) : partition.recordLimit
            let (claimed, fence) = try await delivery.store.claimItems(
                destination: delivery.destination, kinds: [kind], limit: limit, byteLimit: partition.byteLimit,
                owner: owner, now: now, leaseUntil: until)
            if claimed.isEmpty { continue }
            let items = try await filled(claimed)
            for part in partition.parts(of: items) {
                let batch = delivery.sender.batch(
                    of: part, destination: delivery.destination, capabilities: capabilities)
                guard
                    let lease = try await delivery.store.freeze(batch, owner: owner, fence: fence, leaseUntil: until),
                    try await isTakenByServer(lease), try await isWithinLimits(lease, of: part, partition)
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

    /// Whether the server takes what the batch asks of it; if not, the batch is dissolved: records wait for a server
    /// that does, deletions become dead letters, because behind them nothing of the same record could be sent.
    private func isTakenByServer(_ lease: BatchLease) async throws -> Bool {
        let batch = lease.batch
        let verdict: ItemVerdict
        if batch.method == "DELETE" && !capabilities.tombstones {
            verdict = .rejected(reason: "this server does not take deletions")
        } else if let limit = capabilities.limit(of: batch.kind), capabilities.gzip || !batch.isCompressed,
            capabilities.results || batch.itemIDs.count <= limit
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

    /// Room for what stands around the records.
    private static let wrapperBytes = 64
}
