import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Settles the batch of `lease` as `verdict` requires.
    func settle(_ lease: BatchLease, _ verdict: BatchVerdict) async throws {
        switch verdict {
        case .items(let verdicts, let status):
            try await settle(lease, items: verdicts, status: status)
            try await noteAnswer(changed: widen(after: lease.batch))
        case .unknown(let reason):
            try await again(lease, reason: reason, status: nil, retryAfter: nil)
        case .inProgress(let reason, let status, let retryAfter):
            // Only this batch waits, not the destination.
            let second = delivery.time.now().advanced(byMilliseconds: 1_000)
            try await giveBack(lease, reason: reason, status: status, notBefore: retryAfter ?? second)
        case .retryBatch(let reason, let status, let retryAfter):
            try await again(lease, reason: reason, status: status, retryAfter: retryAfter)
        case .failed(let reason, let status, let retryAfter):
            if watch.isAtFault(lease.batch.key, itemCount: lease.batch.itemIDs.count) {
                watch.suspect(try await split(lease, reason: "\(reason) for this and not for others", status: status))
            } else {
                try await again(lease, reason: reason, status: status, retryAfter: retryAfter)
            }
        case .bisect(let reason, let status):
            try await noteAnswer()
            _ = try await split(lease, reason: reason, status: status)
        case .tooLarge(let status):
            state.batchLimits[lease.batch.kind] = learnedLimit(lease.batch)
            try await noteAnswer(changed: true)
            _ = try await split(lease, reason: verdict.trouble ?? "too large", status: status)
        case .pause(let reason, let status):
            try await giveBack(lease, reason: reason, status: status, notBefore: delivery.time.now())
            try await pause(reason)
        case .disable(let reason, let status):
            try await giveBack(lease, reason: reason, status: status, notBefore: delivery.time.now())
            try await disable(reason)
        }
    }

    func pause(_ reason: String) async throws {
        // Several batches that are in flight may be answered alike.
        if state.pausedReason != reason { delivery.log.note("delivery paused: \(reason)", level: .warning) }
        state.pausedReason = reason
        ending = .paused(reason: reason)
        try await remember()
    }

    func disable(_ reason: String) async throws {
        state.isDisabled = true
        state.pausedReason = reason
        ending = .disabled(reason: reason)
        delivery.log.note("delivery stopped: \(reason)", level: .error)
        try await remember()
    }

    /// Counts a failure of the destination; returns the earliest instant of the next attempt.
    func noteFailure(_ reason: String, retryAfter: Instant?) async throws -> Instant {
        let policy = delivery.options.policy
        let now = delivery.time.now()
        state.consecutiveFailures += 1
        let delay = policy.delayMilliseconds(
            afterFailures: state.consecutiveFailures, fraction: delivery.random.fraction())
        var notBefore = now.advanced(byMilliseconds: delay)
        if let retryAfter {
            notBefore = max(notBefore, retryAfter)
            state.notBefore = max(state.notBefore ?? retryAfter, retryAfter)
            holdUntil = max(holdUntil, retryAfter)
        }
        if isProbing { holdUntil = max(holdUntil, notBefore) }
        // Only the first failure is shown without --verbose.
        let isKnown = report.trouble != nil
        report.trouble = reason
        delivery.log.note(
            "\(delivery.destination): \(reason); next attempt at \(RFC3339.string(notBefore))",
            level: isKnown ? .debug : .warning)
        try await remember()
        return notBefore
    }

    func giveBack(_ lease: BatchLease, reason: String, status: Int?, notBefore: Instant) async throws {
        _ = try await delivery.store.giveBack(
            lease, reason: reason, status: status, notBefore: notBefore, now: delivery.time.now())
    }

    func remember() async throws {
        try await delivery.store.setDestinationState(state, of: delivery.destination)
    }

    /// Resets the failure count, because the destination responded.
    private func noteAnswer(changed: Bool = false) async throws {
        report.trouble = nil
        answeredAt = delivery.time.now()
        let isNotBeforeOver = state.notBefore.map { $0 <= delivery.time.now() } ?? false
        guard changed || isNotBeforeOver || state.consecutiveFailures > 0 else { return }
        state.consecutiveFailures = 0
        if isNotBeforeOver { state.notBefore = nil }
        try await remember()
    }

    private func again(_ lease: BatchLease, reason: String, status: Int?, retryAfter: Instant?) async throws {
        let notBefore = try await noteFailure(reason, retryAfter: retryAfter)
        try await giveBack(lease, reason: reason, status: status, notBefore: notBefore)
    }

    func settle(_ lease: BatchLease, items verdicts: [ItemVerdict], status: Int?) async throws {
        let now = delivery.time.now()
        guard try await delivery.store.settle(lease, verdicts: verdicts, status: status, now: now) else {
            delivery.log.note("a lease expired before the batch was answered; the batch is sent again", level: .debug)
            return
        }
        let before = report
        let retried = verdicts.count { note($0) }
        let delivered = report.delivered - before.delivered
        let dead = report.dead - before.dead
        if delivered > 0 { watch.notePassed() }
        if dead > 0 {
            delivery.log.note(
                dead == 1
                    ? "the server rejected an item; it is kept as a dead letter"
                    : "the server rejected \(dead) items; they are kept as dead letters", level: .warning)
        }
        if retried > 0, retried == verdicts.count {
            // Without a pause, a destination that asks for everything again would be flooded.
            retryRounds += 1
            let delay = delivery.options.policy.delayMilliseconds(
                afterFailures: retryRounds, fraction: delivery.random.fraction())
            holdUntil = max(holdUntil, now.advanced(byMilliseconds: max(delay, 100)))
        } else {
            retryRounds = 0
        }
    }

    /// Counts a verdict; returns whether nothing of the item is settled.
    private func note(_ verdict: ItemVerdict) -> Bool {
        switch verdict {
        case .delivered, .stored: report.delivered += 1
        case .rejected: report.dead += 1
        case .retry: return true
        case .samples(let samples):
            note(samples)
            return !samples.waiting.isEmpty && samples.counts.answered == 0
        }
        return false
    }

    /// Replaces a batch by its halves, or rejects its only item; returns the keys of the halves.
    private func split(_ lease: BatchLease, reason: String, status: Int?) async throws -> [String] {
        guard lease.batch.sampleIDs.isEmpty else {
            try await divide(lease, reason: reason, status: status)
            return []
        }
        let ids = lease.batch.itemIDs
        guard ids.count > 1 else {
            try await settle(lease, items: [.rejected(reason: reason)], status: status)
            return []
        }
        var items: [OutboxItem] = []
        for id in ids {
            guard let item = try await delivery.store.item(id: id) else { continue }
            items.append(item)
        }
        guard items.count == ids.count else {
            try await settle(lease, items: ids.map { _ in .retry }, status: status)
            return []
        }
        let half = items.count / 2
        let parts = [items[..<half], items[half...]].map { part in
            delivery.batch(of: Array(part), capabilities: capabilities)
        }
        // Without the reason: it may be the server's text, which belongs in no log.
        delivery.log.note(
            "a batch of \(ids.count) items is halved" + (status.map { " (status \($0))" } ?? ""), level: .debug)
        guard try await delivery.store.split(lease, into: parts) else { return [] }
        return parts.map(\.key)
    }

    private func learnedLimit(_ batch: OutboxBatch) -> Int {
        min(state.batchLimits[batch.kind] ?? .max, max(1, (records(of: batch) + 1) / 2))
    }

    /// Doubles the learned limit once per run, after a batch with more than half that many records was delivered,
    /// because
    /// limits change, and one large record must not make all later batches small. Returns whether it was doubled.
    private func widen(after batch: OutboxBatch) -> Bool {
        guard let learned = state.batchLimits[batch.kind], records(of: batch) > learned / 2,
            let most = capabilities.limit(of: batch.kind), widened.insert(batch.kind).inserted
        else { return false }
        state.batchLimits[batch.kind] = learned < most / 2 ? learned * 2 : nil
        return true
    }

    private func records(of batch: OutboxBatch) -> Int {
        batch.recordIDs.reduce(0) { $0 + $1.count } + batch.sampleIDs.reduce(0) { $0 + $1.count }
    }
}
