/// What a handler derived for the days it was asked for. A day without an entry has nothing to show.
public struct DerivedDays: Sendable, Hashable {
    /// Figures by metric and day. A handler may derive several metrics (systolic and diastolic pressure).
    public var progress: [DailyProgress]
    /// Sleep sessions whose night is among the days.
    public var sleepSessions: [SleepSession]
    /// Samples of these days that made no sense and were left out, by reason; the run reports the sums.
    public var refused: [String: Int]

    /// These results.
    public init(
        progress: [DailyProgress] = [], sleepSessions: [SleepSession] = [], refused: [String: Int] = [:]
    ) {
        self.progress = progress
        self.sleepSessions = sleepSessions
        self.refused = refused
    }
}
