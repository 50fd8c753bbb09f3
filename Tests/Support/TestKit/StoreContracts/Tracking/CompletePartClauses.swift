import HealthSyncDomain
import HealthSyncPorts

/// The requirements about complete parts.
enum CompletePartClauses {
    private static let steps = CompletePart.metric(.steps)
    private static let sleep = CompletePart.metric(.sleep)
    private static let snapshots = CompletePart.metric(HealthMetric(rawValue: "activitySnapshot"))
    private static let server = CompletePart.server("https://one")
    private static let all = [steps, sleep, snapshots, server]

    static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "A part is complete for the rules that were stored last") { stores in
                try await requireComplete([], in: stores)
                for number in [1, 2] {
                    try await stores.tracking.setComplete([steps: StoreSamples.digest(number)])
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.completeRules(of: steps), StoreSamples.digest(number), "rules")
                }
                try await requireComplete([steps], in: stores)
            },
            .on(lender, "Storing or deleting a page makes every part incomplete, reading one does not") { stores in
                let page = StoreSamples.page(SampleTypeDefinition.stepCount.type, StoreSamples.watch, day: 0)
                for change in [true, false] {
                    try await setAllComplete(in: stores)
                    try await stores.pages.changePages { transaction in
                        _ = try transaction.page(provider: "test", at: page.key)
                    }
                    try await requireComplete(all, in: stores)
                    try await stores.pages.changePages { transaction in
                        if change {
                            try transaction.put(
                                page, provider: "test", definition: .stepCount, longestSample: 1)
                        } else {
                            try transaction.remove(provider: "test", at: page.key)
                        }
                    }
                    try await requireComplete([], in: stores)
                }
            },
            .on(lender, "Adding or removing tracked days makes the metric, snapshots and servers incomplete") {
                stores in
                var tracked = SyncCommit(metric: .steps)
                tracked.tracking = [StoreSamples.day(0): StoreSamples.digest(1)]
                var untracked = SyncCommit(metric: .steps)
                untracked.untracked = [StoreSamples.day(0)]
                for commit in [tracked, untracked] {
                    try await setAllComplete(in: stores)
                    try await stores.tracking.commit(SyncCommit(metric: .steps))
                    try await requireComplete(all, in: stores)
                    try await stores.tracking.commit(commit)
                    try await requireComplete([sleep], in: stores)
                }
            },
            .on(lender, "Marking days as out of date makes the metric, snapshots and servers incomplete") { stores in
                try await stores.tracking.commit(SyncTrackingStoreContract.fullCommit())
                try await setAllComplete(in: stores)
                _ = try await stores.tracking.resetTracking(of: nil, days: StoreSamples.days(5, 9))
                try await requireComplete(all, in: stores)
                _ = try await stores.tracking.resetTracking(of: nil, days: StoreSamples.days(1, 9))
                try await requireComplete([sleep], in: stores)
            },
            .on(lender, "Deleting ledger entries makes the server incomplete") { stores in
                try await stores.tracking.commit(SyncTrackingStoreContract.fullCommit())
                let days = StoreSamples.days(0, 9)
                let missing = try await stores.outbox.missingRecords(destination: "https://one", days: days)
                _ = try await stores.outbox.enqueue(missing.progress.map { StoreSamples.item($0.sourceID) })
                let probe = OutboxProbe(outbox: stores.outbox)
                _ = try await probe.settle(try await probe.frozen(), [.delivered, .delivered, .delivered])
                try await setAllComplete(in: stores)
                try await stores.outbox.forgetDelivered(destination: "https://one", days: days)
                try await requireComplete([steps, sleep, snapshots], in: stores)
            },
        ]
    }

    private static func setAllComplete(in stores: StoresUnderTest) async throws {
        try await stores.tracking.setComplete(
            Dictionary(uniqueKeysWithValues: all.map { ($0, StoreSamples.digest(7)) }))
    }

    private static func requireComplete(_ parts: [CompletePart], in stores: StoresUnderTest) async throws {
        for part in all {
            let isComplete = try await stores.tracking.completeRules(of: part) != nil
            try ContractViolation.unlessEqual(isComplete, parts.contains(part), part.name)
        }
    }
}
