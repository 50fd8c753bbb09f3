/// One night and who recorded it.
package struct SleepNight: Hashable, Sendable {
    /// The day whose night (noon before to noon) it is.
    package let day: CalendarDay
    /// The main sleep by the preferred recorder: what averages and summaries count.
    package let main: SleepSession
    /// Further long sleep that is preferred, by start.
    package let additional: [SleepSession]
    /// What other recorders saw, by start.
    package let others: [SleepSession]

    /// The night of `day` out of its sessions; `nil` without a main sleep.
    init?(day: CalendarDay, sessions: [SleepSession]) {
        let mains = sessions.filter { $0.role == .main }
        guard let main = mains.first(where: \.isPreferred) ?? mains.first else { return nil }
        self.day = day
        self.main = main
        let rest = sessions.filter { $0 != main }
        additional = rest.filter { $0.isPreferred && $0.role != .main }
        others = rest.filter { !$0.isPreferred || $0.role == .main }
    }
}
