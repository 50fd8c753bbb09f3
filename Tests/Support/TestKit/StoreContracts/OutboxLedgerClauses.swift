import HealthSyncDomain
import HealthSyncPorts

/// The requirements about dead letters, destination states and the ledger.
enum OutboxLedgerClauses {
    static func deadLetters(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Dead letters are retried or dropped by id or all, and dropped ones are not enqueued again") {
                stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                let items = (1...4).map { StoreSamples.item("r\($0)") }
                _ = try await stores.outbox.enqueue(items)
                let lease = try await probe.frozen()
                _ = try await probe.settle(lease, [.retry] + Array(repeating: .rejected(reason: "no"), count: 3))
                let ids = lease.batch.itemIDs
                try ContractViolation.unlessEqual(
                    try await stores.outbox.retry(ids: [ids[0], ids[1], 999]), 1, "retried")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.drop(ids: [ids[1], ids[2]]), 1, "dropped")
                try ContractViolation.unlessEqual(try await stores.outbox.drop(ids: nil), 1, "dropped of all")
                try ContractViolation.unlessEqual(try await stores.outbox.retry(ids: nil), 0, "retried of all")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.pending: 2], "counts")
                try ContractViolation.unlessEqual(try await stores.outbox.enqueue(items), 0, "enqueued again")
                try ContractViolation.unlessEqual(try await stores.outbox.item(id: ids[3]), nil, "a dropped item")
            },
            .on(lender, "A destination is known once it has pending or delivered items or a state") {
                stores in
                try ContractViolation.unlessEqual(try await stores.outbox.destinations(), [], "at first")
                _ = try await stores.outbox.enqueue([StoreSamples.item("a"), StoreSamples.item("b")])
                let known = try await stores.outbox.destinations()
                try ContractViolation.unlessEqual(known.count, 1, "while items wait")
                let lease = try await OutboxProbe(outbox: stores.outbox).frozen()
                _ = try await OutboxProbe(outbox: stores.outbox).settle(lease, [.delivered, .delivered])
                try ContractViolation.unlessEqual(try await stores.outbox.destinations(), known, "when they are there")
                try await stores.outbox.setDestinationState(DestinationState(), of: "https://another")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.destinations(), (known + ["https://another"]).sorted(), "one more")
            },
            .on(lender, "A destination that is forgotten is unknown, and others keep their items and records") {
                stores in
                let items = ["https://one", "https://two"].flatMap { destination in
                    (1...4).map { StoreSamples.item("r\($0)", destination: destination) }
                }
                _ = try await stores.outbox.enqueue(items)
                let lease = try await OutboxProbe(outbox: stores.outbox).frozen()
                _ = try await OutboxProbe(outbox: stores.outbox).settle(
                    lease, [.delivered, .rejected(reason: "no"), .retry, .delivered])
                _ = try await OutboxProbe(outbox: stores.outbox).frozen()
                var state = DestinationState()
                state.pausedReason = "401"
                try await stores.outbox.setDestinationState(state, of: "https://one")
                try await stores.tracking.setComplete([.server("https://one"): StoreSamples.digest(1)])
                try ContractViolation.unlessEqual(
                    try await stores.outbox.forget(destination: "https://one"), 2, "items")
                try ContractViolation.unlessEqual(try await stores.outbox.destinations(), ["https://two"], "known")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: "https://one"), [:], "counts")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.pending: 4], "counts of the other")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.destinationState("https://one"), DestinationState(), "state")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.completeRules(of: .server("https://one")), nil, "completeness")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.forget(destination: "https://one"), 0, "items again")
                try ContractViolation.unlessEqual(try await stores.outbox.enqueue(items), 4, "enqueued again")
            },
            .on(lender, "The state of a destination is returned as stored") { stores in
                try ContractViolation.unlessEqual(
                    try await stores.outbox.destinationState("https://one"), DestinationState(), "unknown")
                var state = DestinationState()
                state.notBefore = Instant(milliseconds: 1_234)
                state.pausedReason = "401"
                state.isDisabled = true
                state.batchLimits = [.steps: 1000, RecordKind(rawValue: "a\"b"): 1]
                state.consecutiveFailures = 3
                try await stores.outbox.setDestinationState(state, of: "https://one")
                // A claim stores its own data for the same destination.
                _ = try await stores.outbox.enqueue([StoreSamples.item("a")])
                _ = try await OutboxProbe(outbox: stores.outbox).claim()
                try ContractViolation.unlessEqual(
                    try await stores.outbox.destinationState("https://one"), state, "state")
                try await stores.outbox.setDestinationState(DestinationState(), of: "https://one")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.destinationState("https://one"), DestinationState(), "cleared")
            },
        ]
    }

    static func records(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Stored records are missing at a destination until they are enqueued") {
                stores in
                let commit = SyncTrackingStoreContract.fullCommit()
                try await stores.tracking.commit(commit)
                let days = StoreSamples.days(0, 9)
                let probe = OutboxProbe(outbox: stores.outbox)
                let all = try await stores.outbox.missingRecords(destination: "https://one", days: days)
                try ContractViolation.unlessEqual(
                    all.progress, [commit.progress[1], commit.progress[2], commit.progress[0]], "progress")
                try ContractViolation.unlessEqual(all.sleep, [commit.sleep[1], commit.sleep[0]], "sleep")
                try ContractViolation.unlessEqual(
                    all.snapshots, [commit.snapshots[1], commit.snapshots[0]], "snapshots")
                _ = try await stores.outbox.enqueue(
                    all.progress.map { StoreSamples.item($0.sourceID) }
                        + all.sleep.map { StoreSamples.item($0.sourceID, kind: .sleep) }
                        + all.snapshots.map { StoreSamples.item($0.sourceID, kind: .snapshots) })
                try await requireNothingMissing(stores, days)
                for _ in 1...3 {
                    let claim = try await probe.claim(kinds: [.progress, .sleep, .snapshots])
                    guard let lease = try await probe.freeze(claim.items, fence: claim.fence) else {
                        throw ContractViolation("nothing to freeze")
                    }
                    _ = try await probe.settle(lease, claim.items.map { _ in .delivered })
                }
                try await requireNothingMissing(stores, days)
                try ContractViolation.unlessEqual(
                    try await stores.outbox.missingRecords(destination: "https://two", days: days).progress.count, 3,
                    "progress another destination misses")
            },
            .on(lender, "A new revision is missing even if the previous one was enqueued") { stores in
                var commit = SyncCommit(metric: .steps)
                commit.progress = [StoreSamples.progress(.steps, day: 0, quantity: 1)]
                commit.sleep = [StoreSamples.session("a", day: 0)]
                commit.snapshots = [StoreSamples.snapshot(day: 0, steps: 1)]
                commit.outbox = [
                    StoreSamples.item(commit.progress[0].sourceID), StoreSamples.item("a", kind: .sleep),
                    StoreSamples.item(commit.snapshots[0].sourceID, kind: .snapshots),
                ]
                try await stores.tracking.commit(commit)
                try await requireNothingMissing(stores, StoreSamples.days(0, 9))
                commit.progress[0].revision = 2
                commit.sleep[0].revision = 2
                commit.snapshots[0].revision = 2
                try await stores.tracking.commit(commit)
                let missing = try await stores.outbox.missingRecords(
                    destination: "https://one", days: StoreSamples.days(0, 9))
                try ContractViolation.unlessEqual(missing.progress, commit.progress, "progress")
                try ContractViolation.unlessEqual(missing.sleep, commit.sleep, "sleep")
                try ContractViolation.unlessEqual(missing.snapshots, commit.snapshots, "snapshots")
            },
            .on(lender, "Records of days are missing again after their deliveries were forgotten") { stores in
                try await stores.tracking.commit(SyncTrackingStoreContract.fullCommit())
                let probe = OutboxProbe(outbox: stores.outbox)
                let missing = try await stores.outbox.missingRecords(
                    destination: "https://one", days: StoreSamples.days(0, 9))
                _ = try await stores.outbox.enqueue(missing.progress.map { StoreSamples.item($0.sourceID) })
                _ = try await probe.settle(try await probe.frozen(), [.delivered, .delivered, .delivered])
                try await stores.outbox.forgetDelivered(destination: "https://one", days: StoreSamples.days(1, 1))
                let again = try await stores.outbox.missingRecords(
                    destination: "https://one", days: StoreSamples.days(0, 9))
                try ContractViolation.unlessEqual(
                    again.progress, missing.progress.filter { $0.record.day == StoreSamples.day(1) }, "progress")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.enqueue(again.progress.map { StoreSamples.item($0.sourceID) }), 2,
                    "enqueued again")
            },
        ]
    }

    private static func requireNothingMissing(_ stores: StoresUnderTest, _ days: DayRange) async throws {
        let missing = try await stores.outbox.missingRecords(destination: "https://one", days: days)
        try ContractViolation.unlessEqual(missing.progress, [], "progress missing")
        try ContractViolation.unlessEqual(missing.sleep, [], "sleep missing")
        try ContractViolation.unlessEqual(missing.snapshots, [], "snapshots missing")
    }
}
