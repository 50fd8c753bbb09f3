import HealthSyncDomain
import Testing

/// Records to send.
enum Samples {
    /// The source id of the session in `Senders.sleepBatch`.
    static let sessionID = "7f9c24e8-3b12-4fef-91e0-56a2d1f1a7c2"

    static func steps(_ day: String, quantity: Double = 1_250) throws -> DailyProgress {
        let day = try #require(CalendarDay(day))
        return DailyProgress(
            metric: .steps, day: day, start: day.utcStart.advanced(bySeconds: -3600), unit: "count",
            figures: ProgressFigures(quantity: quantity),
            hours: [
                HourProgress(
                    start: day.utcStart.advanced(bySeconds: 8 * 3600),
                    figures: ProgressFigures(quantity: quantity + 0.5))
            ])
    }

    /// Returns a server's list with the session of `Senders.sleepBatch` and these times.
    static func sessionList(_ start: String, _ end: String) -> String {
        let session = #"{"source_id":"\#(sessionID)","start_time":"\#(start)","end_time":"\#(end)"}"#
        return #"{"success":true,"data":{"sessions":[\#(session)],"has_more":false}}"#
    }

    static func session(sourceName: String, offset: Int64, day: String = "2024-01-15") throws -> SleepSession {
        let day = try #require(CalendarDay(day))
        let interval = InstantRange(
            start: day.utcStart.advanced(bySeconds: -7_320), end: day.utcStart.advanced(bySeconds: 21_660))
        return SleepSession(
            day: day, interval: interval, origin: SampleOrigin(sourceName: sourceName), offsetSeconds: offset,
            stages: [SleepStageInterval(stage: .core, interval: interval)], durations: SleepDurations())
    }

    /// Returns `contents` as items of the outbox, numbered from `first`.
    static func items(_ contents: [NewOutboxItem], first: Int64 = 1) -> [OutboxItem] {
        contents.enumerated().map { index, content in
            OutboxItem(
                id: first + Int64(index), content: content, state: .leased, attempts: 0, lastStatus: nil,
                lastReason: nil, createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0))
        }
    }
}
