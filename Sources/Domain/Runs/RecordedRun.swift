/// A run as stored in the history.
package struct RecordedRun: Sendable, Hashable {
    /// Increases from run to run.
    package var id: Int64
    package var command: RunCommand
    package var startedAt: Instant
    /// The days covered, or the days requested while the run is active. `nil` if none exist or they are not known
    /// yet.
    package var days: DayRange?
    /// `nil` until the end is recorded.
    package var end: RunEnd?

    package init(id: Int64, command: RunCommand, startedAt: Instant, days: DayRange? = nil, end: RunEnd? = nil) {
        self.id = id
        self.command = command
        self.startedAt = startedAt
        self.days = days
        self.end = end
    }

    /// The duration in milliseconds; `nil` if the run has not ended or the time of its end is unknown.
    package var milliseconds: Int64? {
        end?.at.map { max(0, $0.milliseconds - startedAt.milliseconds) }
    }
}
