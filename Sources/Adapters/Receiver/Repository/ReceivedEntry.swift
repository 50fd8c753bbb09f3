import HealthSyncDomain

/// An entry of a metric, as `ProgressReader` stores it.
struct ReceivedEntry {
    /// The metric and day of an entry.
    struct Key: Hashable {
        let metric: HealthMetric
        let day: CalendarDay
    }

    let key: Key
    let start: Instant
    let figures: ProgressFigures
    let updatedAt: Instant
    private let unit: String

    init(_ stored: StoredRecord) throws {
        let record = stored.record
        key = Key(metric: HealthMetric(rawValue: record.type), day: record.day)
        start = record.start
        updatedAt = stored.updatedAt
        (figures, unit) = try JSONText.read(record.body) { body in
            let figures = ProgressFigures(
                quantity: body["quantity"]?.number ?? 0, minimum: body["min"]?.number, maximum: body["max"]?.number,
                count: body["count"]?.integer.map { Int(clamping: max(0, $0)) },
                heldMilliseconds: body["held_ms"]?.integer.map { max(0, $0) })
            return (figures, body["unit"]?.string ?? "")
        }
    }

    /// The entry as the figures of a day.
    var progress: DailyProgress {
        DailyProgress(metric: key.metric, day: key.day, start: start, unit: unit, figures: figures)
    }
}
