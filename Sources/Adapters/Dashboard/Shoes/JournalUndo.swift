import HealthSyncDomain
import Synchronization

/// The last change that the journal made to sessions, so that it can be undone. It is forgotten with the process.
final class JournalUndo: Sendable {
    /// A change of the hours of a day.
    struct Change: Sendable {
        let number: Int
        let day: CalendarDay
        /// What was changed, in words.
        let text: String
        let sessions: SessionChange
    }

    private let state = Mutex<(last: Change?, count: Int)>((nil, 0))

    /// Remembers a change; returns the address of the page that reports it.
    func remember(_ text: String, on day: CalendarDay, _ sessions: SessionChange) -> String {
        let number = state.withLock { state in
            state.count += 1
            state.last = Change(number: state.count, day: day, text: text, sessions: sessions)
            return state.count
        }
        return Choice.address(JournalPage.address, [("day", "\(day)"), ("done", "\(number)")])
    }

    /// Returns the last change if it has this number.
    func change(numbered text: String?) -> Change? {
        state.withLock { state in state.last.flatMap { "\($0.number)" == text ? $0 : nil } }
    }

    /// Forgets the last change.
    func forget() { state.withLock { $0.last = nil } }
}
