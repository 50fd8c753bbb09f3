/// What a handler derived for the days it was asked for. A day without an entry has nothing to show.
public struct DerivedDays: Sendable, Hashable {
    /// Figures by metric and day. A handler may derive several metrics (systolic and diastolic pressure).
    public var progress: [DailyProgress]
    /// Sleep sessions whose night is among the days.
    public var sleepSessions: [SleepSession]

    /// These results.
    public init(progress: [DailyProgress] = [], sleepSessions: [SleepSession] = []) {
        self.progress = progress
        self.sleepSessions = sleepSessions
    }
}
