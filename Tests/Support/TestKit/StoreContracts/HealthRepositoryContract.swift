import HealthSyncDomain
import HealthSyncPorts

/// The requirements of `HealthRepository`.
package enum HealthRepositoryContract {
    /// Returns the clauses, each with empty stores from `lender`.
    package static func clauses(_ lender: @escaping StoresUnderTest.Lender) -> [ContractClause] {
        [
            .on(lender, "An empty store has no records") { stores in
                let days = StoreSamples.days(0, 9)
                try ContractViolation.unlessEqual(try await stores.repository.recordedDays(), nil, "days")
                try ContractViolation.unlessEqual(try await stores.repository.recordedMetrics(), [], "metrics")
                try ContractViolation.unlessEqual(
                    try await stores.repository.progress(of: nil, days: days), [], "progress")
                try ContractViolation.unlessEqual(try await stores.repository.sleep(days: days), [], "sleep")
                try ContractViolation.unlessEqual(
                    try await stores.repository.activitySnapshots(days: days), [], "snapshots")
            },
            .on(lender, "Progress of one or all metrics is sorted by day, then by metric") { stores in
                let commit = SyncTrackingStoreContract.fullCommit()
                try await stores.tracking.commit(commit)
                let days = StoreSamples.days(0, 9)
                let records = commit.progress.map(\.record)
                try ContractViolation.unlessEqual(
                    try await stores.repository.progress(of: nil, days: days), [records[1], records[2], records[0]],
                    "all progress")
                try ContractViolation.unlessEqual(
                    try await stores.repository.progress(of: .steps, days: days), [records[1], records[0]], "steps")
                try ContractViolation.unlessEqual(
                    try await stores.repository.progress(of: .steps, days: StoreSamples.days(1, 1)), [records[0]],
                    "steps of a day")
                try ContractViolation.unlessEqual(
                    try await stores.repository.recordedMetrics(), [HealthMetric(rawValue: "cadence"), .sleep, .steps],
                    "metrics")
            },
            .on(lender, "Daily figures are the progress without its hours") { stores in
                let commit = SyncTrackingStoreContract.fullCommit()
                try await stores.tracking.commit(commit)
                for metric in [nil, HealthMetric.steps] {
                    let days = StoreSamples.days(0, 9)
                    let expected = try await stores.repository.progress(of: metric, days: days).map { progress in
                        var progress = progress
                        progress.hours = []
                        return progress
                    }
                    try ContractViolation.unlessEqual(
                        try await stores.repository.dailyFigures(of: metric, days: days), expected, "daily figures")
                }
            },
            .on(lender, "The latest day is that of the metric, or for sleep that of a main sleep that counts") {
                stores in
                var covered = StoreSamples.session("phone", day: 8)
                covered.record.share = nil
                var commit = SyncCommit(metric: .sleep)
                commit.progress = [
                    StoreSamples.progress(.steps, day: 4, quantity: 1),
                    StoreSamples.progress(.steps, day: 2, quantity: 1),
                    StoreSamples.progress(.heartRate, day: 6, quantity: 1),
                ]
                commit.sleep = [
                    covered, StoreSamples.session("main", day: 5),
                    StoreSamples.session("nap", day: 7, role: .nap),
                ]
                try await stores.tracking.commit(commit)
                for (metric, day) in [(HealthMetric.steps, 4), (.heartRate, 6), (.sleep, 5), (.activeEnergy, nil)] {
                    try ContractViolation.unlessEqual(
                        try await stores.repository.latestDay(of: metric, through: nil),
                        day.map { StoreSamples.day($0) },
                        "\(metric)")
                }
                for (metric, day) in [(HealthMetric.steps, 2), (.heartRate, nil), (.sleep, nil)] {
                    try ContractViolation.unlessEqual(
                        try await stores.repository.latestDay(of: metric, through: StoreSamples.day(3)),
                        day.map { StoreSamples.day($0) }, "\(metric) up to a day")
                }
                try ContractViolation.unlessEqual(
                    try await stores.repository.latestDay(of: .sleep, through: StoreSamples.day(5)),
                    StoreSamples.day(5), "sleep up to its day")
            },
            .on(lender, "Sleep belongs to its day and is sorted by start") { stores in
                var commit = SyncCommit(metric: .sleep)
                commit.sleep = [
                    StoreSamples.session("nap", day: 2, role: .nap, startSecond: 32_400),
                    StoreSamples.session("main", day: 2, startSecond: -7_200),
                ]
                try await stores.tracking.commit(commit)
                try ContractViolation.unlessEqual(
                    try await stores.repository.sleep(days: StoreSamples.days(2, 2)),
                    [commit.sleep[1].record, commit.sleep[0].record], "sleep of the day")
                try ContractViolation.unlessEqual(
                    try await stores.repository.sleep(days: StoreSamples.days(3, 3)), [], "sleep of the next day")
            },
            quantitiesAndNights(lender),
            versions(lender),
            recordedDays(lender),
        ]
    }

    private static func recordedDays(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "The recorded days range from the first to the last record of any kind") { stores in
            var commit = SyncCommit(metric: .steps)
            commit.progress = [StoreSamples.progress(.steps, day: 4, quantity: 1)]
            commit.sleep = [StoreSamples.session("a", day: 7)]
            commit.snapshots = [StoreSamples.snapshot(day: 2, steps: 1)]
            try await stores.tracking.commit(commit)
            try ContractViolation.unlessEqual(
                try await stores.repository.recordedDays(), StoreSamples.days(2, 7), "days")
            try ContractViolation.unlessEqual(
                try await stores.repository.activitySnapshots(days: StoreSamples.days(0, 9)),
                commit.snapshots.map(\.record), "snapshots")
        }
    }

    private static func versions(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "The version changes with the records, and only with them") { stores in
            var known: [DataVersion?] = [try await stores.repository.version()]
            for quantity in [1.0, 2.0, 2.5] {
                var commit = SyncCommit(metric: .steps)
                commit.progress = [StoreSamples.progress(.steps, day: 4, quantity: quantity)]
                try await stores.tracking.commit(commit)
                let version = try await stores.repository.version()
                try ContractViolation.unless(!known.contains(version), "a version of earlier records")
                try ContractViolation.unlessEqual(
                    try await stores.repository.version(), version, "the version without a change")
                known.append(version)
            }
        }
    }

    private static func quantitiesAndNights(_ lender: @escaping StoresUnderTest.Lender) -> ContractClause {
        .on(lender, "Quantities and nights are those of the figures and of the main sleep") { stores in
            var covered = StoreSamples.session("phone", day: 3)
            covered.record.share = nil
            var inBed = StoreSamples.session("bed", day: 4)
            inBed.record.durations = SleepDurations()
            inBed.record.durations.inBed = 28_800_000
            inBed.record.share?.durations = inBed.record.durations
            var ring = StoreSamples.session("ring", day: 3, startSecond: 10_800)
            let main = StoreSamples.session("main", day: 3)
            ring.record.onset = main.record.onset
            var commit = SyncTrackingStoreContract.fullCommit()
            commit.sleep = [covered, ring, main, inBed, StoreSamples.session("nap", day: 5, role: .nap)]
            try await stores.tracking.commit(commit)
            let days = StoreSamples.days(0, 9)
            let figures = try await stores.repository.dailyFigures(of: .steps, days: days)
            try ContractViolation.unlessEqual(
                try await stores.repository.dailyQuantities(of: .steps, days: days),
                figures.map { DailyQuantity(day: $0.day, quantity: $0.figures.quantity) }, "steps")
            let nights = try await stores.repository.nights(days: days)
            try ContractViolation.unlessEqual(
                nights, NightTimes.nights(of: [main, ring, inBed].map(\.record)), "nights")
            try ContractViolation.unlessEqual(
                nights.first?.interval.end, ring.record.interval.end, "end of a night of two recorders")
            try ContractViolation.unlessEqual(
                try await stores.repository.dailyQuantities(of: .sleep, days: days),
                [DailyQuantity(day: main.record.day, quantity: Double(2 * main.record.durations.asleep) / 60_000)],
                "minutes asleep")
            try ContractViolation.unlessEqual(
                try await stores.repository.nights(days: StoreSamples.days(4, 4)).map(\.asleep), [nil], "a night")
        }
    }
}
