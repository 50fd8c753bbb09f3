import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `SyncIntervalStore`.
package enum SyncIntervalStoreContract {
    /// Returns the clauses, each with empty stores from `lender`.
    package static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Intervals are returned as committed, in ascending order") { stores in
                try await IntervalProbe.divide(stores)
                try ContractViolation.unlessEqual(
                    try await stores.intervals.intervals(of: IntervalProbe.type), IntervalProbe.intervals, "intervals")
                try ContractViolation.unlessEqual(
                    try await stores.intervals.intervalCount(of: IntervalProbe.type), 2, "count")
                try ContractViolation.unlessEqual(
                    try await stores.intervals.layeredTypes(),
                    [IntervalProbe.type: LayeredType(rule: .steps, generation: 1)], "types")
            },
            .on(
                lender,
                "The content of a page before its first change since a division is stored; without a division it is not"
            ) {
                stores in
                try await IntervalProbe.put(stores, day: 0, value: 1)
                try ContractViolation.unlessEqual(
                    try await stores.intervals.changedPages(of: IntervalProbe.type).count, 0, "before any division")
                try await IntervalProbe.divide(stores)
                let first = try await IntervalProbe.put(stores, day: 0, value: 2)
                let last = try await IntervalProbe.put(stores, day: 0, value: 3)
                let new = try await IntervalProbe.put(stores, day: 4, value: 9)
                let original = StoreSamples.page(IntervalProbe.type, StoreSamples.watch, day: 0, value: 1)
                try ContractViolation.unless(first.bytes != last.bytes, "the pages are equal")
                try ContractViolation.unlessEqual(
                    try await stores.intervals.changedPages(of: IntervalProbe.type),
                    [
                        ChangedPage(
                            key: last.key, provider: "apple", before: original.bytes, after: last.bytes),
                        ChangedPage(key: new.key, provider: "apple", before: nil, after: new.bytes),
                    ], "changes")
                var commit = LayeringCommit(type: IntervalProbe.type, rule: .steps)
                commit.settlesChangedPages = true
                _ = try await stores.intervals.commit(commit)
                try ContractViolation.unlessEqual(
                    try await stores.intervals.changedPages(of: IntervalProbe.type).count, 0, "after the commit")
            },
            .on(lender, "A removed page is a change") { stores in
                let page = try await IntervalProbe.put(stores, day: 0, value: 1)
                try await IntervalProbe.divide(stores)
                try await stores.pages.changePages { try $0.remove(provider: "apple", at: page.key) }
                try ContractViolation.unlessEqual(
                    try await stores.intervals.changedPages(of: IntervalProbe.type),
                    [ChangedPage(key: page.key, provider: "apple", before: page.bytes, after: nil)], "changes")
            },
            .on(lender, "The last revision of each id is stored") { stores in
                try await IntervalProbe.divide(stores)
                let id = SampleID(high: 1, low: 2)
                for (revision, isDeleted) in [(1, true), (2, false)] {
                    var commit = LayeringCommit(type: IntervalProbe.type, rule: .steps)
                    commit.revisions = [SampleRevision(id: id, revision: revision, isDeleted: isDeleted)]
                    _ = try await stores.intervals.commit(commit)
                }
                try ContractViolation.unlessEqual(
                    try await stores.intervals.revisions(of: IntervalProbe.type),
                    [id: SampleRevision(id: id, revision: 2, isDeleted: false)], "revisions")
            },
        ] + SyncIntervalDeliveryClauses.clauses(lender)
    }
}

/// Sample intervals for the clauses.
enum IntervalProbe {
    static let type = SampleTypeDefinition.stepCount.type

    static let intervals: [SyncInterval] = {
        let first = GridInterval(containing: StoreSamples.day(0).utcStart, exponent: 16)
        let second = GridInterval(containing: first.end, exponent: 16)
        return [first, second].enumerated().map { index, interval in
            var figures = IntervalFigures()
            for number in 0...index {
                figures.insert(SampleID(high: .max, low: .max - UInt64(number)), steps: 700)
            }
            return SyncInterval(interval: interval, figures: figures)
        }
    }()

    static func slice(
        _ index: Int, only: [SampleID] = [], key: String = "", destination: String = OutboxProbe.destination
    )
        -> NewOutboxItem
    {
        let interval = intervals[index]
        return NewOutboxItem(
            destination: destination, kind: .steps, dedupKey: "\(index)\(key)",
            slice: SampleSlice(
                interval: interval.interval, count: only.isEmpty ? interval.figures.sampleCount : only.count,
                only: only))
    }

    /// Divides the type and enqueues `items`.
    static func divide(_ stores: StoresUnderTest, _ items: [NewOutboxItem] = []) async throws {
        try await put(stores, day: 9, value: 5)
        var commit = LayeringCommit(type: type, rule: .steps)
        commit.intervals = intervals
        commit.outbox = items
        commit.settlesChangedPages = true
        _ = try await stores.intervals.commit(commit)
    }

    @discardableResult
    static func put(_ stores: StoresUnderTest, day: Int, value: Double) async throws -> PackedPage {
        let page = StoreSamples.page(type, StoreSamples.watch, day: day, value: value)
        try await stores.pages.changePages {
            try $0.put(page, provider: "apple", definition: .stepCount, longestSample: 60_000)
        }
        return page
    }

    static func states(_ stores: StoresUnderTest) async throws -> [IntervalState] {
        try await stores.intervals.statuses(of: type, destination: OutboxProbe.destination).map(\.state)
    }
}
