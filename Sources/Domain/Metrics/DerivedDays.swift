/// The result of a handler for the requested days. A day without an entry has no data.
public struct DerivedDays: Sendable, Hashable {
    /// Values by metric and day. A handler may derive several metrics (systolic and diastolic pressure).
    public var progress: [DailyProgress]
    /// Sleep sessions that belong to the days. Only the handler of `sleep` may derive any.
    public var sleepSessions: [SleepSession]
    /// The number of implausible samples of these days that were skipped, by reason. The run reports the sums.
    public var skipped: [String: Int]

    /// Creates a result.
    public init(
        progress: [DailyProgress] = [], sleepSessions: [SleepSession] = [], skipped: [String: Int] = [:]
    ) {
        self.progress = progress
        self.sleepSessions = sleepSessions
        self.skipped = skipped
    }
}
