/// Sleep over a range of days.
package struct SleepOverview: Hashable, Sendable {
    /// The selected days.
    package let days: DayRange
    /// The nights that have a main sleep, ascending.
    package let nights: [SleepNight]
    /// Preferred naps, by start; averages exclude them.
    package let naps: [SleepSession]
    /// Naps of other recorders, by start.
    package let otherNaps: [SleepSession]
    /// `nil` if no night has sleep.
    package let averages: SleepAverages?

    /// Creates an overview of `days`. Ignores sessions that belong to other days.
    package init(days: DayRange, sessions: [SleepSession]) {
        self.days = days
        let sessions = sessions.filter { days.contains($0.day) }.sorted {
            ($0.day, $0.interval.start, $0.origin.orderingText) < ($1.day, $1.interval.start, $1.origin.orderingText)
        }
        let naps = sessions.filter { $0.role == .nap }
        self.naps = naps.filter(\.isPreferred)
        otherNaps = naps.filter { !$0.isPreferred }
        nights = Dictionary(grouping: sessions.filter { $0.role != .nap }, by: \.day)
            .compactMap { SleepNight(day: $0.key, sessions: $0.value) }
            .sorted { $0.day < $1.day }
        averages = SleepAverages(of: nights)
    }
}
