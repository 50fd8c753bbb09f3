import HealthSyncDomain
import HealthSyncPorts

/// The requirements about frozen requests and their items.
enum OutboxBatchClauses {
    static func batches(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A returned batch can be claimed again with the same bytes, but not before its time") {
                stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([StoreSamples.item("a"), StoreSamples.item("b")])
                let lease = try await probe.frozen()
                try ContractViolation.unlessEqual(try await probe.claimBatch(), nil, "batch under its lease")
                try ContractViolation.unless(
                    try await probe.giveBack(lease, until: 10), "the batch could not be returned")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.pending: 2], "counts")
                let waiting = try await stores.outbox.items(in: .pending, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(waiting.map(\.attempts), [0, 0], "attempts")
                try ContractViolation.unlessEqual(
                    waiting.map(\.lastReason), ["connection refused", "connection refused"], "reasons")
                try ContractViolation.unlessEqual(try await probe.claimBatch(at: 9), nil, "batch before its time")
                var expected = lease.batch
                expected.sendCount = 1
                guard let again = try await probe.claimBatch(at: 10) else { throw ContractViolation("no batch") }
                try ContractViolation.unlessEqual(again.batch, expected, "batch")
                try ContractViolation.unless(again.fence > lease.fence, "the fence did not increase")
            },
            .on(lender, "Leases ended by the run can be claimed at once, with a higher fence") {
                stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([StoreSamples.item("a"), StoreSamples.item("b")])
                let lease = try await probe.frozen()
                try await stores.outbox.expireLeases(
                    destination: OutboxProbe.destination, now: OutboxProbe.start.advanced(bySeconds: 1))
                guard let again = try await probe.claimBatch(at: 1) else { throw ContractViolation("no batch") }
                try ContractViolation.unlessEqual(again.batch.key, lease.batch.key, "key")
                try ContractViolation.unless(
                    try await !probe.settle(lease, [.delivered, .delivered]), "the dead sender settled")
            },
            .on(lender, "The store returns when a leased or deferred item can be claimed") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                func next() async throws -> Int64? {
                    try await stores.outbox.nextAttempt(destination: OutboxProbe.destination).map {
                        $0.seconds - OutboxProbe.start.seconds
                    }
                }
                _ = try await stores.outbox.enqueue([StoreSamples.item("a"), StoreSamples.item("b")])
                try ContractViolation.unlessEqual(try await next(), nil, "with nothing held")
                let claim = try await probe.claim(1, at: 5)
                try ContractViolation.unlessEqual(try await next(), 65, "with an item held")
                guard let lease = try await probe.freeze(claim.items, fence: claim.fence) else {
                    throw ContractViolation("a fresh claim could not be frozen")
                }
                try ContractViolation.unlessEqual(try await next(), 60, "with a batch held")
                _ = try await probe.giveBack(lease, until: 10)
                try ContractViolation.unlessEqual(try await next(), 10, "with a deferred batch")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.nextAttempt(destination: "https://two"), nil, "elsewhere")
                guard let again = try await probe.claimBatch(at: 10) else { throw ContractViolation("no batch") }
                try ContractViolation.unlessEqual(try await next(), 70, "with the batch held again")
                _ = try await probe.settle(again, [.delivered])
                try ContractViolation.unlessEqual(try await next(), nil, "with the batch settled")
            },
            .on(lender, "Batches are claimed oldest first, each by one sender") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue((1...3).map { StoreSamples.item("r\($0)") })
                for number in 1...3 {
                    let claim = try await probe.claim(1)
                    _ = try await probe.freeze(claim.items, fence: claim.fence, key: "key \(number)")
                }
                var keys: [String?] = []
                for _ in 1...4 { keys.append(try await probe.claimBatch(at: 61)?.batch.key) }
                try ContractViolation.unlessEqual(keys, ["key 1", "key 2", "key 3", nil], "keys")
            },
            .on(lender, "A split replaces the batch with its parts") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue((1...4).map { StoreSamples.item("r\($0)") })
                let lease = try await probe.frozen()
                let items = try await stores.outbox.items(in: .leased, destination: nil, limit: 9)
                let parts = [
                    OutboxProbe.batch(Array(items[0..<2]), key: "left"),
                    OutboxProbe.batch(Array(items[2...]), key: "right"),
                ]
                try ContractViolation.unless(
                    try await stores.outbox.split(lease, into: parts), "the batch could not be split")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.split(lease, into: parts), false, "a second split")
                let claimed = [
                    try await probe.claimBatch(), try await probe.claimBatch(), try await probe.claimBatch(),
                ]
                try ContractViolation.unlessEqual(claimed.map { $0?.batch }, [parts[0], parts[1], nil], "parts")
                let attempts = try await stores.outbox.items(in: nil, destination: nil, limit: 9).map(\.attempts)
                try ContractViolation.unlessEqual(attempts, [1, 1, 1, 1], "attempts")
            },
        ]
    }

    static func settlements(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Each item is settled by its verdict, and the batch is removed") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                let items = (1...4).map { StoreSamples.item("r\($0)") }
                _ = try await stores.outbox.enqueue(items)
                let lease = try await probe.frozen()
                let verdicts: [ItemVerdict] = [.delivered, .rejected(reason: "negative"), .retry]
                try ContractViolation.unless(try await probe.settle(lease, verdicts), "the batch could not be settled")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.delivered: 1, .dead: 1, .pending: 2], "counts")
                let dead = try await stores.outbox.items(in: .dead, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(dead.map(\.content), [items[1]], "dead letters")
                try ContractViolation.unlessEqual(dead.first?.lastReason, "negative", "reason")
                try ContractViolation.unlessEqual(dead.first?.lastStatus, 200, "status")
                try ContractViolation.unlessEqual(dead.first?.attempts, 1, "attempts")
                let delivered = try await stores.outbox.items(in: .delivered, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(delivered.map(\.content.dedupKey), ["r1@1"], "ledger")
                guard let settled = delivered.first else { return }
                try ContractViolation.unlessEqual(
                    try await stores.outbox.item(id: settled.id), settled, "item of the ledger")
                try ContractViolation.unlessEqual(try await probe.claimBatch(at: 999), nil, "batch")
                try ContractViolation.unlessEqual(
                    try await probe.claim().items.map(\.content), Array(items[2...]), "claim")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.enqueue(items), 0, "items that were enqueued again")
            },
            .on(lender, "The id that the destination gives to a record is kept with it") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue((1...3).map { StoreSamples.item("r\($0)") })
                let lease = try await probe.frozen()
                let verdicts: [ItemVerdict] = [.stored(as: "theirs"), .delivered, .retry]
                try ContractViolation.unless(try await probe.settle(lease, verdicts), "the batch could not be settled")
                let delivered = try await stores.outbox.items(in: .delivered, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(
                    delivered.map(\.backendID), ["theirs", nil], "ids of the destination")
                let waiting = try await stores.outbox.items(in: .pending, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(waiting.map(\.backendID), [nil], "id of a waiting item")
                guard let first = delivered.first else { return }
                try ContractViolation.unlessEqual(try await stores.outbox.item(id: first.id), first, "a single item")
            },
        ]
    }

    static func takeovers(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Calls with a lost lease change nothing and return false") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([StoreSamples.item("a")])
                let old = try await probe.frozen()
                guard let new = try await OutboxProbe(outbox: stores.outbox, owner: "other").claimBatch(at: 60) else {
                    throw ContractViolation("a batch with an expired lease could not be claimed")
                }
                try ContractViolation.unlessEqual(try await probe.settle(old, [.delivered]), false, "settle")
                try ContractViolation.unlessEqual(try await probe.giveBack(old, until: 0), false, "giveBack")
                try ContractViolation.unlessEqual(try await stores.outbox.split(old, into: []), false, "split")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.leased: 1], "counts")
                try ContractViolation.unless(
                    try await probe.settle(new, [.delivered]), "the new holder could not settle")
            },
            .on(lender, "An expired lease is valid until another sender claims its items") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([StoreSamples.item("a")])
                let lease = try await probe.frozen()
                let settled = try await stores.outbox.settle(
                    lease, verdicts: [.delivered], status: 200, now: OutboxProbe.start.advanced(bySeconds: 9999))
                try ContractViolation.unless(settled, "the batch could not be settled")
            },
        ]
    }
}
