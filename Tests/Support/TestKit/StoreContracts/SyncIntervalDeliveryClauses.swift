import HealthSyncDomain
import HealthSyncPorts

/// The requirements about the delivery of intervals.
enum SyncIntervalDeliveryClauses {
    static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        settlement(lender) + changes(lender)
    }

    private static func settlement(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "An interval is synced once all of its slices are settled") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                let other = SampleID(high: 7, low: 7)
                try await IntervalProbe.divide(
                    stores,
                    [
                        IntervalProbe.slice(0), IntervalProbe.slice(1),
                        IntervalProbe.slice(1, only: [other], key: "more"),
                    ])
                try ContractViolation.unlessEqual(
                    try await stores.outbox.waiting(destination: OutboxProbe.destination),
                    [.steps: WaitingItems(items: 3, samples: 4)], "waiting")
                // The first two items have three samples together; a fourth exceeds the limit.
                let claim = try await probe.claim(3, kinds: [.steps])
                try ContractViolation.unlessEqual(
                    claim.items.map(\.content), [IntervalProbe.slice(0), IntervalProbe.slice(1)], "claimed")
                let lease = try await freeze(claim.items, fence: claim.fence, ids: [[1], [2, 3]], by: probe)
                _ = try await probe.settle(lease, [created(1), created(2)])
                try ContractViolation.unlessEqual(
                    try await IntervalProbe.states(stores), [.synced, .waiting], "with one slice left")
                try await settleRest(probe, ids: [[7]], [created(1)])
                try ContractViolation.unlessEqual(
                    try await IntervalProbe.states(stores), [.synced, .synced], "with nothing left")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil).filter { $0.value > 0 }, [:], "counts")
            },
            .on(lender, "A rejected sample becomes a separate dead letter, a waiting one a separate item") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                try await IntervalProbe.divide(stores, [IntervalProbe.slice(1)])
                var verdicts = SampleVerdicts()
                verdicts.rejected = [.init(id: id(2), reason: "no")]
                verdicts.waiting = [[id(3)]]
                try await settleRest(probe, ids: [[2, 3]], [.samples(verdicts)])
                let items = try await stores.outbox.items(in: nil, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(items.map(\.state), [.dead, .pending], "states")
                try ContractViolation.unlessEqual(items.map(\.content.slice?.only), [[id(2)], [id(3)]], "samples")
                try ContractViolation.unlessEqual(items.first?.lastReason, "no", "reason")
                try ContractViolation.unlessEqual(items.first?.content.dedupKey, "\(id(2))", "key")
                try await settleRest(probe, ids: [[3]], [created(1)])
                let status = try await stores.intervals.statuses(
                    of: IntervalProbe.type, destination: OutboxProbe.destination)[1]
                try ContractViolation.unlessEqual(status.state, .rejected, "state")
                try ContractViolation.unlessEqual(status.rejectedCount, 1, "refused")
                try ContractViolation.unlessEqual(status.syncedAt, nil, "synced")
            },
            .on(lender, "A dead letter that is retried and rejected again exists once") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                try await IntervalProbe.divide(stores, [IntervalProbe.slice(0)])
                var verdicts = SampleVerdicts()
                verdicts.rejected = [.init(id: id(1), reason: "no")]
                for _ in 1...2 {
                    try await settleRest(probe, ids: [[1]], [.samples(verdicts)])
                    try ContractViolation.unlessEqual(
                        try await stores.outbox.counts(destination: nil), [.dead: 1], "counts")
                    try ContractViolation.unlessEqual(try await stores.outbox.retry(ids: nil), 1, "retried")
                }
                try await settleRest(probe, ids: [[1]], [created(1)])
                try ContractViolation.unlessEqual(try await IntervalProbe.states(stores)[0], .synced, "state")
            },
        ]
    }

    private static func changes(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A frozen request of samples keeps its ids and encoding") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                try await IntervalProbe.divide(stores, [IntervalProbe.slice(1)])
                let claim = try await probe.claim(kinds: [.steps])
                let lease = try await freeze(claim.items, fence: claim.fence, ids: [[2, 3]], by: probe)
                _ = try await probe.giveBack(lease, until: 5)
                guard let again = try await probe.claimBatch(at: 5) else { throw ContractViolation("no batch") }
                try ContractViolation.unlessEqual(again.batch.sampleIDs, [[id(2), id(3)]], "ids")
                try ContractViolation.unless(again.batch.isCompressed, "it is not compressed")
                try ContractViolation.unlessEqual(again.batch.body, lease.batch.body, "body")
            },
            .on(lender, "Intervals are unoffered at first and after they were forgotten") { stores in
                try await IntervalProbe.divide(stores, [IntervalProbe.slice(0)])
                let whole = InstantRange(start: Instant(seconds: 0), end: Instant(seconds: 1 << 40))
                func unoffered(_ destination: String) async throws -> [SyncInterval] {
                    try await stores.intervals.unoffered(
                        of: IntervalProbe.type, destination: destination, in: whole)
                }
                try ContractViolation.unlessEqual(
                    try await unoffered(OutboxProbe.destination), [IntervalProbe.intervals[1]], "unoffered")
                try ContractViolation.unlessEqual(
                    try await unoffered("https://two"), IntervalProbe.intervals, "unoffered elsewhere")
                try await stores.intervals.forgetDelivered(
                    of: IntervalProbe.type, destination: OutboxProbe.destination, in: whole)
                try ContractViolation.unlessEqual(
                    try await unoffered(OutboxProbe.destination), IntervalProbe.intervals, "after forgetting")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil).filter { $0.value > 0 }, [:], "what waited")
            },
            .on(lender, "Superseded items are removed, clearing removes intervals, and revisions stay") { stores in
                try await IntervalProbe.divide(stores, [IntervalProbe.slice(0)])
                var commit = LayeringCommit(type: IntervalProbe.type, rule: .steps)
                commit.superseded = [
                    IntervalKey(
                        destination: OutboxProbe.destination, start: IntervalProbe.intervals[0].interval.start)
                ]
                commit.outbox = [IntervalProbe.slice(0, key: "new")]
                commit.revisions = [SampleRevision(id: id(1), revision: 1, isDeleted: true)]
                _ = try await stores.intervals.commit(commit)
                let items = try await stores.outbox.items(in: .pending, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(items.map(\.content.dedupKey), ["0new"], "items")
                try ContractViolation.unlessEqual(try await stores.intervals.clear(), 2, "cleared")
                try ContractViolation.unlessEqual(
                    try await stores.intervals.intervalCount(of: IntervalProbe.type), 0, "intervals")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.items(in: nil, destination: nil, limit: 9).count, 0, "items")
                try ContractViolation.unlessEqual(
                    try await stores.intervals.revisions(of: IntervalProbe.type).count, 1, "revisions")
            },
        ]
    }

    private static func id(_ number: UInt64) -> SampleID { SampleID(high: 5, low: number) }

    private static func created(_ count: Int) -> ItemVerdict {
        var counts = SampleCounts()
        counts.created = count
        return .samples(SampleVerdicts(counts: counts))
    }

    private static func freeze(
        _ items: [OutboxItem], fence: Int64, ids: [[UInt64]], by probe: OutboxProbe
    ) async throws -> BatchLease {
        var batch = OutboxProbe.batch(items, key: "samples")
        batch.sampleIDs = ids.map { $0.map(id) }
        batch.isCompressed = true
        let lease = try await probe.outbox.freeze(
            batch, owner: probe.owner, fence: fence, leaseUntil: OutboxProbe.start.advanced(bySeconds: 60))
        guard let lease else { throw ContractViolation("a fresh claim could not be frozen") }
        return lease
    }

    /// Claims the pending items and settles them with `verdicts`.
    private static func settleRest(_ probe: OutboxProbe, ids: [[UInt64]], _ verdicts: [ItemVerdict]) async throws {
        let claim = try await probe.claim(kinds: [.steps])
        let lease = try await freeze(claim.items, fence: claim.fence, ids: ids, by: probe)
        try ContractViolation.unless(try await probe.settle(lease, verdicts), "the batch could not be settled")
    }
}
