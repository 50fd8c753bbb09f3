import HealthSyncDomain
import HealthSyncPorts

/// The requirements about enqueueing and claiming.
enum OutboxClaimClauses {
    static func claims(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "An item is enqueued once per destination and kind") { stores in
                let item = StoreSamples.item("a")
                var elsewhere = item
                elsewhere.destination = "https://two"
                var otherKind = item
                otherKind.kind = .sleep
                let added = try await stores.outbox.enqueue([item, item, elsewhere, otherKind])
                try ContractViolation.unlessEqual(added, 3, "new items")
                try ContractViolation.unlessEqual(try await stores.outbox.enqueue([item]), 0, "new items again")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: "https://one"), [.pending: 2], "counts of one")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.pending: 3], "counts")
            },
            .on(lender, "A claim returns the oldest items exclusively and unchanged") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                let items = (1...5).map { StoreSamples.item("r\($0)") }
                _ = try await stores.outbox.enqueue(items)
                let first = try await probe.claim(3)
                try ContractViolation.unlessEqual(first.items.map(\.content), Array(items[0..<3]), "first claim")
                try ContractViolation.unless(first.items.allSatisfy { $0.state == .leased }, "items are not leased")
                let second = try await probe.claim(9)
                try ContractViolation.unlessEqual(second.items.map(\.content), Array(items[3...]), "second claim")
                try ContractViolation.unless(second.fence > first.fence, "the fence did not increase")
                try ContractViolation.unlessEqual(try await probe.claim().items, [], "third claim")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.counts(destination: nil), [.leased: 5], "counts")
            },
            .on(lender, "A claim respects its byte limit, except for the oldest item") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue(
                    [100, 40, 40, 40].enumerated().map {
                        StoreSamples.item("r\($0.offset)", bytes: $0.element)
                    })
                for expected in [[1], [2, 3], [4]] as [[Int]] {
                    let sizes = try await probe.claim(bytes: 90).items
                    try ContractViolation.unlessEqual(sizes.count, expected.count, "items of a claim")
                }
            },
            .on(lender, "A claim contains one kind, and deletions are separate") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([
                    StoreSamples.item("s1", kind: .sleep), StoreSamples.item("p1"),
                    StoreSamples.item("d1", kind: .sleep, isTombstone: true, bytes: 0),
                    StoreSamples.item("s2", kind: .sleep), StoreSamples.item("x", kind: .steps),
                ])
                var claims: [[String]] = []
                for _ in 1...4 { claims.append(try await probe.claim().items.map(\.content.orderingKey)) }
                try ContractViolation.unlessEqual(claims, [["s1", "s2"], ["p1"], ["d1"], []], "claims")
            },
            .on(lender, "Items that a dead sender claimed but did not freeze can be claimed again") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([StoreSamples.item("a")])
                let lost = try await probe.claim()
                try ContractViolation.unlessEqual(try await probe.claim(at: 59).items, [], "claim under the lease")
                let again = try await probe.claim(at: 60)
                try ContractViolation.unlessEqual(again.items.map(\.id), lost.items.map(\.id), "claim after it")
                try ContractViolation.unlessEqual(
                    try await probe.freeze(lost.items, fence: lost.fence), nil, "freezing under the old fence")
            },
        ]
    }

    static func ordering(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A newer revision waits until the older one is settled") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([
                    StoreSamples.item("a"), StoreSamples.item("a", revision: 2), StoreSamples.item("b"),
                ])
                let lease = try await probe.frozen()
                try ContractViolation.unlessEqual(lease.batch.itemIDs.count, 2, "items of the first claim")
                try ContractViolation.unlessEqual(try await probe.claim().items, [], "claim while it is in flight")
                _ = try await probe.giveBack(lease, until: 5)
                try ContractViolation.unlessEqual(try await probe.claim().items, [], "claim after it was returned")
                guard let again = try await probe.claimBatch(at: 5) else { throw ContractViolation("no batch") }
                _ = try await probe.settle(again, [.delivered, .delivered])
                try ContractViolation.unlessEqual(
                    try await probe.claim().items.map(\.content.dedupKey), ["a@2"], "claim afterwards")
            },
            .on(lender, "A dead letter does not block other items") { stores in
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await stores.outbox.enqueue([StoreSamples.item("a"), StoreSamples.item("a", revision: 2)])
                _ = try await probe.settle(try await probe.frozen(), [.rejected(reason: "no")], status: 422)
                try ContractViolation.unlessEqual(
                    try await probe.claim().items.map(\.content.dedupKey), ["a@2"], "claim")
            },
            .on(lender, "With concurrent claims each item is claimed once") { stores in
                _ = try await stores.outbox.enqueue((1...200).map { StoreSamples.item("r\($0)") })
                let ids = try await withThrowingTaskGroup(of: [Int64].self) { group in
                    for sender in 1...8 {
                        group.addTask {
                            let probe = OutboxProbe(outbox: stores.outbox, owner: "sender \(sender)")
                            var mine: [Int64] = []
                            while true {
                                let claim = try await probe.claim(7)
                                if claim.items.isEmpty { return mine }
                                mine += claim.items.map(\.id)
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try ContractViolation.unlessEqual(ids.count, 200, "items claimed")
                try ContractViolation.unlessEqual(Set(ids).count, 200, "different items claimed")
            },
        ]
    }
}
