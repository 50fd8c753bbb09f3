package import HealthSyncPorts
import HealthSyncDomain

/// The requirements of `RunStore`.
package enum RunStoreContract {
    /// Creates an empty store, runs a test with it and removes it.
    package typealias Lender = @Sendable (@Sendable (any RunStore) async throws -> Void) async throws -> Void

    /// Provides an in-memory store.
    package static let inMemory: Lender = { use in try await use(InMemoryRunStore()) }

    /// Returns the clauses, each with an empty store from `lender`.
    package static func clauses(_ lender: @escaping Lender) -> [ContractClause] {
        [
            clause("An empty store has no runs", lender) { store in try await expect(store, []) },
            clause("A started run has no end until one is written", lender) { store in
                let id = try await store.begin(.daily, at: instant(1), days: days, keeping: 10)
                try await expect(store, [RecordedRun(id: id, command: .daily, startedAt: instant(1), days: days)])
                try await store.end(id, full, days: DayRange(days.first))
                try await expect(
                    store,
                    [
                        RecordedRun(
                            id: id, command: .daily, startedAt: instant(1), days: DayRange(days.first), end: full)
                    ])
            },
            clause("The requested days stay unless the end states others", lender) { store in
                for days in [days, nil] {
                    let id = try await store.begin(.historical, at: instant(1), days: days, keeping: 10)
                    try await store.end(id, plain, days: nil)
                    try await expect(
                        store,
                        [RecordedRun(id: id, command: .historical, startedAt: instant(1), days: days, end: plain)],
                        limit: 1)
                }
            },
            clause("An end is written once, and only to a stored run", lender) { store in
                let id = try await store.begin(.push, at: instant(1), days: nil, keeping: 10)
                try await store.end(id, plain, days: nil)
                try await store.end(id, full, days: days)
                try await store.end(id + 7, full, days: days)
                try await expect(
                    store, [RecordedRun(id: id, command: .push, startedAt: instant(1), end: plain)])
            },
            clause("The next run marks exactly the runs without end as cut off", lender) { store in
                let first = try await store.begin(.daily, at: instant(1), days: nil, keeping: 10)
                try await store.end(first, plain, days: nil)
                let second = try await store.begin(.historical, at: instant(3), days: days, keeping: 10)
                let third = try await store.begin(.daily, at: instant(4), days: nil, keeping: 10)
                try await store.end(second, full, days: nil)
                try await expect(
                    store,
                    [
                        RecordedRun(id: third, command: .daily, startedAt: instant(4)),
                        RecordedRun(
                            id: second, command: .historical, startedAt: instant(3), days: days, end: .cutOff),
                        RecordedRun(id: first, command: .daily, startedAt: instant(1), end: plain),
                    ])
            },
            clause("The last runs are kept with ascending ids, and deleted runs do not reappear", lender) {
                store in
                var ids: [Int64] = []
                for number in 0..<9 {
                    ids.append(
                        try await store.begin(
                            RunCommand(rawValue: "run \(number)"), at: instant(Int64(number)), days: nil, keeping: 4))
                    if let last = ids.last { try await store.end(last, full, days: nil) }
                }
                try ContractViolation.unlessEqual(ids, ids.sorted(), "numbers")
                let kept = try await store.lastRuns(limit: 100)
                try ContractViolation.unlessEqual(
                    kept.map(\.command.rawValue), ["run 8", "run 7", "run 6", "run 5"], "kept runs")
                try ContractViolation.unlessEqual(kept.map(\.end), [full, full, full, full], "their ends")
                try ContractViolation.unlessEqual(
                    try await store.lastRuns(limit: 2).map(\.id), Array(ids.suffix(2).reversed()), "two of them")
                try ContractViolation.unlessEqual(try await store.lastRuns(limit: 0), [], "none of them")
            },
        ]
    }

    private static let days = DayRange(CalendarDay(ordinal: 19_700)).widened(before: 6, after: 1)
    private static func instant(_ second: Int64) -> Instant {
        Instant(milliseconds: 1_700_000_000_123).advanced(bySeconds: second)
    }

    private static let plain = RunEnd(at: instant(2), ending: .completed)

    /// An end with a value in every field.
    private static var full: RunEnd {
        func failure(_ text: String) -> SyncFailure {
            SyncFailure(
                SyncFailure.Code(rawValue: "ofAPlugIn"), subject: "\(text) <b>’\"", reason: "\(text)\nreason",
                advice: "")
        }
        var account = RunTotals()
        account.metrics = [
            .steps: .synced(days: 7, records: 3), .sleep: .nothingNew, .heartRate: .deferred("later"),
            HealthMetric(rawValue: "bloodPressure"): .failed(failure("one")), .activeEnergy: .failed(failure("two")),
        ]
        account.snapshots = 4
        (account.reading.sources, account.reading.unchangedSources, account.reading.records) = (3, 1, 110)
        (account.reading.stored, account.reading.alreadyKnown, account.reading.rejected) = (50, 30, 20)
        (account.reading.notSelected, account.reading.deleted) = (10, 5)
        var delivery = RunTotals.Delivery()
        (delivery.delivered, delivery.rejected, delivery.left, delivery.samples) = (12, 2, 1, 5_000)
        account.delivery = delivery
        var repair = RunTotals.Repair()
        (repair.differing, repair.sent, repair.deleted, repair.left) = (9, 6, 3, 8)
        account.repair = repair
        return RunEnd(
            at: instant(2), ending: .completedWithFailures, account: account,
            failures: [failure("three"), failure("four"), failure("three")])
    }

    private static func expect(_ store: any RunStore, _ runs: [RecordedRun], limit: Int = 100) async throws {
        try ContractViolation.unlessEqual(try await store.lastRuns(limit: limit), runs, "runs")
    }

    private static func clause(
        _ name: String, _ lender: @escaping Lender, check: @escaping @Sendable (any RunStore) async throws -> Void
    ) -> ContractClause {
        ContractClause(name) { try await lender(check) }
    }
}
