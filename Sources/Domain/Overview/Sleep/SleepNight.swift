/// One night with the sessions of all its recorders.
package struct SleepNight: Hashable, Sendable {
    /// The day on which the night (noon to noon) ends.
    package let day: CalendarDay
    /// The main sleep by the preferred recorder, which averages and summaries use.
    package let main: SleepSession
    /// Additional preferred sessions, by start.
    package let additional: [SleepSession]
    /// The sessions of other recorders, by start.
    package let others: [SleepSession]

    /// Creates the night of `day` from its sessions; `nil` without a main sleep.
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
