import HealthSyncDomain
import HealthSyncPorts

/// The requirements of tracking stores about records that are sent again.
enum ResentRecordClauses {
    static func all(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A resent record gets and is due with a new revision, and nothing else changes") { stores in
                try await stores.tracking.commit(SyncTrackingStoreContract.fullCommit())
                let days = StoreSamples.days(-10, 10)
                let before = try await stores.outbox.missingRecords(destination: nil, days: days)
                guard var day = before.progress.first, var session = before.sleep.last,
                    var snapshot = before.snapshots.first
                else { throw ContractViolation("nothing was stored") }
                (day.revision, session.revision, snapshot.revision) = (91, 92, 93)
                var resent = ResentRecords()
                (resent.progress, resent.sleep, resent.snapshots) = ([day], [session], [snapshot])
                resent.progress.append(StoreSamples.progress(.steps, day: 9, quantity: 5, revision: 4))
                resent.removed = [Tombstone("gone", kind: .sleep, revision: 94)]
                resent.outbox = [StoreSamples.item("gone", revision: 94, kind: .sleep)]
                for _ in 1...2 { try await stores.tracking.resend(resent) }
                let after = try await stores.outbox.missingRecords(destination: nil, days: days)
                try ContractViolation.unlessEqual(
                    after.progress, before.progress.map { $0.sourceID == day.sourceID ? day : $0 }, "days")
                try ContractViolation.unlessEqual(
                    after.sleep, before.sleep.map { $0.sourceID == session.sourceID ? session : $0 }, "sessions")
                try ContractViolation.unlessEqual(
                    after.snapshots, before.snapshots.map { $0.sourceID == snapshot.sourceID ? snapshot : $0 },
                    "snapshots")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.missingDeletions(destination: nil).filter { $0.sourceID == "gone" },
                    resent.removed, "deletions")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.items(in: .pending, destination: nil, limit: 100).filter {
                        $0.content.dedupKey == "gone@94"
                    }.count, 1, "items")
            }
        ]
    }
}
