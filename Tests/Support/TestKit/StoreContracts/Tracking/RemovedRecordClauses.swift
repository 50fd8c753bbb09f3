import HealthSyncDomain
import HealthSyncPorts

/// The requirements of tracking stores about tombstones and ids of sessions.
enum RemovedRecordClauses {
    static func removal(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A deleted record leaves its revision until the record comes back") { stores in
                try await stores.tracking.commit(SyncTrackingStoreContract.fullCommit())
                var removal = SyncCommit(metric: .steps)
                removal.removedProgress = [ProgressKey(metric: .steps, day: StoreSamples.day(0))]
                removal.removedSleep = ["a"]
                removal.removedSnapshots = [StoreSamples.day(1)]
                let ids = [
                    "steps/\(StoreSamples.day(0))", "a", "snapshot/\(StoreSamples.day(1))", "b", "never stored",
                ]
                let entries = SyncTrackingStoreContract.fullCommit().progress[1].record.entryIDs
                removal.removed =
                    entries.enumerated().map { index, id in
                        Tombstone(sourceID: id, kind: .progress, revision: 1 + index, orderingKey: ids[0])
                    } + [
                        Tombstone("a", kind: .sleep, revision: 4),
                        Tombstone(ids[2], kind: .snapshots, revision: 2),
                    ]
                for _ in 1...2 {
                    try await stores.tracking.commit(removal)
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.tombstoneRevisions(of: ids), [ids[0]: 3, ids[1]: 4, ids[2]: 2],
                        "removed revisions")
                }
                try ContractViolation.unlessEqual(
                    try await stores.repository.progress(of: .steps, days: StoreSamples.days(0, 0)), [], "progress")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.sleepSessions(days: StoreSamples.days(1, 1)).map(\.sourceID), ["b"],
                    "sleep")
                var comeback = SyncCommit(metric: .steps)
                comeback.progress = [StoreSamples.progress(.steps, day: 0, quantity: 5, revision: 4)]
                comeback.sleep = [StoreSamples.session("a", day: 1, revision: 5)]
                try await stores.tracking.commit(comeback)
                try ContractViolation.unlessEqual(
                    try await stores.tracking.tombstoneRevisions(of: ids), [ids[2]: 2],
                    "removed after the record came back")
            },
            .on(lender, "A tombstone is due at each destination once per revision") { stores in
                var removal = SyncCommit(metric: .steps)
                removal.removed = [
                    Tombstone(sourceID: "steps/hour/x", kind: .progress, revision: 7, orderingKey: "steps/x"),
                    Tombstone("a", kind: .sleep, revision: 3),
                ]
                try await stores.tracking.commit(removal)
                let due = Array(removal.removed.reversed())
                try ContractViolation.unlessEqual(
                    try await stores.outbox.missingDeletions(destination: "https://one"), due, "due at first")
                _ = try await stores.outbox.enqueue([StoreSamples.item("a", revision: 3, kind: .sleep)])
                try ContractViolation.unlessEqual(
                    try await stores.outbox.missingDeletions(destination: "https://one"), [due[1]], "due then")
                try ContractViolation.unlessEqual(
                    try await stores.outbox.missingDeletions(destination: "https://two"), due, "due to another")
                try await stores.tracking.renewTombstones(revision: 7)
                try ContractViolation.unlessEqual(
                    try await stores.outbox.missingDeletions(destination: "https://one").map(\.revision), [7, 8],
                    "due when renewed")
            },
        ]
    }

    static func sessions(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Sessions are found by id on any night, and two with one id are rejected") { stores in
                try await stores.tracking.commit(SyncTrackingStoreContract.fullCommit())
                try ContractViolation.unlessEqual(
                    try await stores.tracking.sleepSessions(withSourceIDs: ["b", "unknown"]),
                    [SyncTrackingStoreContract.fullCommit().sleep[0]], "by id")
                for (sleep, removed) in [
                    ([StoreSamples.session("c", day: 2), StoreSamples.session("c", day: 3)], []),
                    ([StoreSamples.session("a", day: 2)], ["a"]),
                ] {
                    var twice = SyncCommit(metric: .sleep)
                    twice.sleep = sleep
                    twice.removedSleep = removed
                    do {
                        try await stores.tracking.commit(twice)
                        throw ContractViolation("two sessions of one id were stored")
                    } catch let failure as SyncFailure {
                        try ContractViolation.unlessEqual(failure.code, .unexpected, "failure")
                    }
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.sleepSessions(days: StoreSamples.days(2, 3)), [], "stored of it")
                }
            }
        ]
    }
}
