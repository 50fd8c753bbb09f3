import HealthSyncDomain

// Delete this file as soon as Domain/Metrics brings SleepSessionMatch and the snapshot builder (branch metrics).
struct SleepSessionMatch {
    struct Pair {
        var stored: RevisedRecord<SleepSession>
        var derived: SleepSession
    }
    var matched: [Pair] = []
    var unmatched: [SleepSession] = []
    var vanished: [RevisedRecord<SleepSession>] = []

    init(stored: [RevisedRecord<SleepSession>], derived: [SleepSession]) { unmatched = derived }
}

extension ActivitySnapshot {
    static let metrics: [HealthMetric] = []

    init(day: CalendarDay, progress: [DailyProgress], sleep: [SleepSession]) { self.init(day: day) }
}
