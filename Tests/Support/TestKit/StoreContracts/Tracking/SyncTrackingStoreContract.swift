import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `SyncTrackingStore`.
package enum SyncTrackingStoreContract {
    /// Returns the clauses, each with an empty store from `lender`.
    package static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        recordClauses(lender) + RemovedRecordClauses.removal(lender) + RemovedRecordClauses.sessions(lender)
            + ResentRecordClauses.all(lender)
            + trackingClauses(lender) + CompletePartClauses.clauses(lender) + zoneClauses(lender)
            + outboxClauses(lender)
    }

    /// Returns a commit with records of every kind.
    static func fullCommit(outbox: [NewOutboxItem] = []) -> SyncCommit {
        var commit = SyncCommit(metric: .steps)
        commit.progress = [
            StoreSamples.progress(.steps, day: 1, quantity: 1234), StoreSamples.progress(.steps, day: 0, quantity: 0.1),
            StoreSamples.progress(HealthMetric(rawValue: "cadence"), day: 1, quantity: 2),
        ]
        commit.sleep = [StoreSamples.session("b", day: 1), StoreSamples.session("a", day: 1)]
        commit.snapshots = [
            StoreSamples.snapshot(day: 1, steps: nil), StoreSamples.snapshot(day: 0, steps: 1234),
        ]
        commit.tracking = [StoreSamples.day(0): StoreSamples.digest(1), StoreSamples.day(1): StoreSamples.digest(2)]
        commit.outbox = outbox
        return commit
    }

    private static func recordClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Records are returned as committed, in order of day, and repeating a commit changes nothing") {
                stores in
                let commit = fullCommit()
                for _ in 1...2 {
                    try await stores.tracking.commit(commit)
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.progress(derivedBy: .steps, days: StoreSamples.days(0, 5)),
                        [commit.progress[1], commit.progress[2], commit.progress[0]], "progress")
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.sleepSessions(days: StoreSamples.days(1, 1)),
                        [commit.sleep[1], commit.sleep[0]], "sleep")
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.snapshots(days: StoreSamples.days(0, 1)),
                        [commit.snapshots[1], commit.snapshots[0]], "snapshots")
                    try ContractViolation.unlessEqual(
                        try await stores.tracking.trackedDigests(of: .steps, days: StoreSamples.days(0, 9)),
                        commit.tracking, "tracking")
                }
            },
            .on(lender, "The revisions of all records are those that were committed last") { stores in
                try ContractViolation.unlessEqual(try await stores.tracking.recordRevisions(), [:], "at first")
                var commit = fullCommit()
                try await stores.tracking.commit(commit)
                commit.progress[0].revision = 7
                try await stores.tracking.commit(commit)
                var expected: [RecordKey: Int] = [:]
                for one in commit.progress {
                    expected[RecordKey(metric: one.record.metric, day: one.record.day)] = one.revision
                }
                for one in commit.sleep {
                    expected[RecordKey(metric: .sleep, day: one.record.day, session: one.sourceID)] = one.revision
                }
                for one in commit.snapshots { expected[RecordKey(metric: nil, day: one.record.day)] = one.revision }
                try ContractViolation.unlessEqual(try await stores.tracking.recordRevisions(), expected, "revisions")
            },
            .on(lender, "Only the requested records are returned") { stores in
                try await stores.tracking.commit(fullCommit())
                let later = StoreSamples.days(2, 9)
                try ContractViolation.unlessEqual(
                    try await stores.tracking.progress(derivedBy: .steps, days: later), [], "progress of other days")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.progress(derivedBy: .sleep, days: StoreSamples.days(0, 9)), [],
                    "progress of another handler")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.sleepSessions(days: later), [], "sleep of other nights")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .sleep, days: StoreSamples.days(0, 9)), [:],
                    "tracking of another metric")
            },
            .on(lender, "A higher revision replaces a lower one") { stores in
                try await stores.tracking.commit(fullCommit())
                var next = SyncCommit(metric: .steps)
                next.progress = [StoreSamples.progress(.steps, day: 0, quantity: 77, revision: 2)]
                next.sleep = [StoreSamples.session("a", day: 1, startSecond: -900, revision: 2)]
                next.snapshots = [StoreSamples.snapshot(day: 0, steps: 77, revision: 2)]
                try await stores.tracking.commit(next)
                let day = StoreSamples.days(0, 0)
                try ContractViolation.unlessEqual(
                    try await stores.tracking.progress(derivedBy: .steps, days: day), next.progress, "progress")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.sleepSessions(days: StoreSamples.days(1, 1)).first, next.sleep[0],
                    "sleep")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.snapshots(days: day), next.snapshots, "snapshots")
            },
        ]
    }

    private static func trackingClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Tracking is reset for one metric or all, and records stay") { stores in
                try await stores.tracking.commit(fullCommit())
                var other = SyncCommit(metric: .sleep)
                other.tracking = [StoreSamples.day(3): StoreSamples.digest(3)]
                try await stores.tracking.commit(other)
                let days = StoreSamples.days(0, 9)
                let tracked = try await stores.tracking.trackedDigests(of: .steps, days: days).keys.sorted()
                try ContractViolation.unlessEqual(
                    try await stores.tracking.resetTracking(of: nil, days: DayRange(tracked[0])), 1, "of one day")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .steps, days: days).keys.sorted(),
                    Array(tracked.dropFirst()), "steps of other days")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.resetTracking(of: .steps, days: nil), 1, "days of steps that were reset")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .steps, days: days), [:], "steps")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .sleep, days: days), other.tracking, "sleep")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.resetTracking(of: nil, days: nil), 1,
                    "days of all metrics that were reset")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.progress(derivedBy: .steps, days: days).count, 3, "records")
            },
            .on(lender, "A day without tracking has no digest, for this metric only") { stores in
                for metric in [HealthMetric.steps, .sleep] {
                    var commit = SyncCommit(metric: metric)
                    commit.tracking = [StoreSamples.day(0): StoreSamples.digest(1)]
                    try await stores.tracking.commit(commit)
                }
                var end = SyncCommit(metric: .steps)
                end.untracked = [StoreSamples.day(0), StoreSamples.day(1)]
                try await stores.tracking.commit(end)
                let days = StoreSamples.days(0, 9)
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .steps, days: days), [:], "steps")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .sleep, days: days),
                    [StoreSamples.day(0): StoreSamples.digest(1)], "sleep")
            },
            .on(lender, "A day that is tracked again has its newest digest") { stores in
                for number in [1, 2] {
                    var commit = SyncCommit(metric: .steps)
                    commit.tracking = [StoreSamples.day(0): StoreSamples.digest(number)]
                    try await stores.tracking.commit(commit)
                }
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .steps, days: StoreSamples.days(0, 0)),
                    [StoreSamples.day(0): StoreSamples.digest(2)], "digest")
            },
            .on(lender, "Tracking of a day is removed for this metric only") { stores in
                try await stores.tracking.commit(fullCommit())
                var other = SyncCommit(metric: .sleep)
                other.tracking = [StoreSamples.day(0): StoreSamples.digest(3)]
                try await stores.tracking.commit(other)
                var commit = SyncCommit(metric: .steps)
                commit.untracked = [StoreSamples.day(0)]
                try await stores.tracking.commit(commit)
                let days = StoreSamples.days(0, 9)
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .steps, days: days),
                    [StoreSamples.day(1): StoreSamples.digest(2)], "steps")
                try ContractViolation.unlessEqual(
                    try await stores.tracking.trackedDigests(of: .sleep, days: days), other.tracking, "sleep")
            },
        ]
    }

    private static func zoneClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "The zones of days are unknown at first, and then those stored last") { stores in
                try ContractViolation.unlessEqual(try await stores.tracking.storedDayZones(), nil, "at first")
                let stays = [
                    DayZones.Stay(firstDay: StoreSamples.day(0), zone: "Asia/Tokyo"),
                    DayZones.Stay(firstDay: StoreSamples.day(9), zone: "Europe/Paris"),
                ]
                for counted in [
                    StoredDayZones(zones: DayZones(home: "Europe/Paris", stays: stays), isWhole: false),
                    StoredDayZones(zones: DayZones(home: "UTC", stays: []), isWhole: true),
                ] {
                    try await stores.tracking.setStoredDayZones(counted)
                    try ContractViolation.unlessEqual(try await stores.tracking.storedDayZones(), counted, "zones")
                }
            },
            .on(lender, "The rules of a zone replace its earlier ones and do not affect other zones") { stores in
                try ContractViolation.unlessEqual(try await stores.tracking.zoneRules(), [:], "at first")
                let (first, second) = (StoreSamples.digest(1), StoreSamples.digest(2))
                try await stores.tracking.setZoneRules(["Asia/Tokyo": first, "UTC": first])
                try await stores.tracking.setZoneRules(["UTC": second])
                try ContractViolation.unlessEqual(
                    try await stores.tracking.zoneRules(), ["Asia/Tokyo": first, "UTC": second], "rules")
            },
            .on(lender, "The zone evidence of a provider replaces its earlier evidence") { stores in
                try ContractViolation.unlessEqual(try await stores.tracking.zoneEvidence(), [], "at first")
                let offsets = [1, 2].map { StatedOffset(instant: Instant(seconds: $0), seconds: 3_600 * $0) }
                try await stores.tracking.setZoneEvidence(ZoneEvidence(provider: "feed", offsets: offsets))
                let other = ZoneEvidence(provider: "export", offsets: offsets)
                try await stores.tracking.setZoneEvidence(other)
                let later = ZoneEvidence(provider: "feed", offsets: Array(offsets.suffix(1)))
                try await stores.tracking.setZoneEvidence(later)
                try ContractViolation.unlessEqual(try await stores.tracking.zoneEvidence(), [other, later], "evidence")
            },
        ]
    }

    private static func outboxClauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "Items are enqueued with the records, and known ones do not change") { stores in
                let first = StoreSamples.item("x", bytes: 5)
                try await stores.tracking.commit(fullCommit(outbox: [first]))
                let again = StoreSamples.item("x", bytes: 9)
                let newer = StoreSamples.item("x", revision: 2)
                try await stores.tracking.commit(fullCommit(outbox: [again, newer, newer]))
                let items = try await stores.outbox.items(in: .pending, destination: nil, limit: 9)
                try ContractViolation.unlessEqual(items.map(\.content), [first, newer], "items")
            }
        ]
    }
}
