import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `OutboxStore`.
package enum OutboxStoreContract {
    /// Returns the clauses, each with empty stores from `lender`.
    package static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        OutboxClaimClauses.claims(lender) + OutboxClaimClauses.ordering(lender) + OutboxBatchClauses.batches(lender)
            + OutboxBatchClauses.settlements(lender) + OutboxBatchClauses.takeovers(lender)
            + OutboxLedgerClauses.deadLetters(lender) + OutboxLedgerClauses.records(lender)
    }
}

/// A sender's view of an outbox.
struct OutboxProbe: Sendable {
    static let destination = "https://one"
    static let start = Instant(seconds: 1_700_000_100)

    var outbox: any OutboxStore
    var owner = "sender"

    func claim(
        _ limit: Int = 100, bytes: Int = 1 << 20, kinds: [RecordKind] = [.progress, .sleep], at second: Int64 = 0
    ) async throws -> (items: [OutboxItem], fence: Int64) {
        try await outbox.claimItems(
            destination: Self.destination, kinds: kinds, limit: limit, byteLimit: bytes, owner: owner,
            now: Self.start.advanced(bySeconds: second), leaseUntil: Self.start.advanced(bySeconds: second + 60))
    }

    func claimBatch(at second: Int64 = 0) async throws -> BatchLease? {
        try await outbox.claimBatch(
            destination: Self.destination, owner: owner, now: Self.start.advanced(bySeconds: second),
            leaseUntil: Self.start.advanced(bySeconds: second + 60))
    }

    func freeze(_ items: [OutboxItem], fence: Int64, key: String = "key") async throws -> BatchLease? {
        try await outbox.freeze(
            Self.batch(items, key: key), owner: owner, fence: fence, leaseUntil: Self.start.advanced(bySeconds: 60))
    }

    /// Claims and freezes everything available as one batch.
    func frozen(key: String = "key") async throws -> BatchLease {
        let claim = try await claim()
        guard let lease = try await freeze(claim.items, fence: claim.fence, key: key) else {
            throw ContractViolation("a fresh claim could not be frozen")
        }
        return lease
    }

    func settle(_ lease: BatchLease, _ verdicts: [ItemVerdict], status: Int? = 200) async throws -> Bool {
        try await outbox.settle(lease, verdicts: verdicts, status: status, now: Self.start.advanced(bySeconds: 1))
    }

    func giveBack(_ lease: BatchLease, until second: Int64) async throws -> Bool {
        try await outbox.giveBack(
            lease, reason: "connection refused", status: 503, notBefore: Self.start.advanced(bySeconds: second),
            now: Self.start)
    }

    static func batch(_ items: [OutboxItem], key: String) -> OutboxBatch {
        OutboxBatch(
            key: key, destination: destination, kind: items.first?.content.kind ?? .progress,
            path: "/api/v1/progress", body: Array("body of \(key)".utf8), itemIDs: items.map(\.id),
            recordIDs: items.map(\.content.recordIDs))
    }
}
