/// A run as it is remembered.
package struct RecordedRun: Sendable, Hashable {
    /// Ascends from run to run.
    package var id: Int64
    package var command: RunCommand
    package var startedAt: Instant
    /// The days covered; before the end those asked for. `nil` where there were none or they are not known yet.
    package var days: DayRange?
    /// `nil` while nobody said how it ended.
    package var end: RunEnd?

    package init(id: Int64, command: RunCommand, startedAt: Instant, days: DayRange? = nil, end: RunEnd? = nil) {
        self.id = id
        self.command = command
        self.startedAt = startedAt
        self.days = days
        self.end = end
    }

    /// How long it took, in milliseconds; `nil` while it has no end or nobody saw it.
    package var milliseconds: Int64? {
        end?.at.map { max(0, $0.milliseconds - startedAt.milliseconds) }
    }
}
