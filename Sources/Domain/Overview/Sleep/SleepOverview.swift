/// Sleep over a stretch of days.
package struct SleepOverview: Hashable, Sendable {
    /// The days asked for.
    package let days: DayRange
    /// The nights that have a main sleep, ascending.
    package let nights: [SleepNight]
    /// Preferred naps, by start; no average counts them.
    package let naps: [SleepSession]
    /// Naps as other recorders saw them, by start.
    package let otherNaps: [SleepSession]
    /// `nil` when no night has sleep.
    package let averages: SleepAverages?

    /// An overview of `days` from `sessions`, of which those that count for other days are left out.
    package init(days: DayRange, sessions: [SleepSession]) {
        self.days = days
        let sessions = sessions.filter { days.contains($0.day) }.sorted {
            ($0.day, $0.interval.start, $0.origin.canonicalText) < ($1.day, $1.interval.start, $1.origin.canonicalText)
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
