/// Sleep over a range of days.
package struct SleepOverview: Hashable, Sendable {
    /// The selected days.
    package let days: DayRange
    /// The nights that have a main sleep, ascending.
    package let nights: [SleepNight]
    /// Naps, by start; averages exclude them.
    package let naps: [SleepEpisode]
    /// The sessions of other recorders that cover naps, as they measured them, by start.
    package let otherNaps: [SleepEpisode]
    /// `nil` if no night has sleep.
    package let averages: SleepAverages?

    /// Creates an overview of `days`. Ignores sessions that belong to other days.
    package init(days: DayRange, sessions: [SleepSession]) {
        self.days = days
        let sessions = sessions.filter { days.contains($0.day) }
        let episodes = SleepEpisode.episodes(of: sessions)
        let uncounted = sessions.filter { $0.share == nil }.sorted {
            ($0.interval.start, $0.origin.orderingText) < ($1.interval.start, $1.origin.orderingText)
        }
        naps = episodes.filter { $0.role == .nap }
        let additional = Dictionary(grouping: episodes.filter { $0.role == .additional }, by: \.day)
        let mains = episodes.filter { $0.role == .main }.sorted { $0.day < $1.day }
        let mainDays = Set(mains.map(\.day))
        let isOfNap = { (session: SleepSession) in session.role == .nap || !mainDays.contains(session.day) }
        let others = Dictionary(grouping: uncounted.filter { !isOfNap($0) }, by: \.day)
        otherNaps = uncounted.filter(isOfNap).map(SleepEpisode.init(alone:))
        nights = mains.map { main in
            SleepNight(
                day: main.day, main: main, additional: additional[main.day] ?? [],
                others: (others[main.day] ?? []).map(SleepEpisode.init(alone:)))
        }
        averages = SleepAverages(of: nights)
    }
}

extension SleepAverages {
    /// Means over the nights of one day, week, month or year.
    package struct Period: Hashable, Sendable {
        package let period: CalendarPeriod
        /// The selected days of the period.
        package let days: DayRange
        /// The number of nights that have a main sleep.
        package let recordedDays: Int
        /// `nil` if no night has sleep.
        package let averages: SleepAverages?
    }
}

extension SleepOverview {
    /// Returns the means of the days, weeks, months or years of the range, ascending, including those without nights. A
    /// period that extends beyond the range contains only its selected days.
    package func averages(by unit: CalendarPeriod.Unit) -> [SleepAverages.Period] {
        CalendarPeriod.periods(unit, of: days, dividing: nights, by: \.day).map { period, nights in
            SleepAverages.Period(
                period: period, days: period.days.intersection(days) ?? period.days, recordedDays: nights.count,
                averages: SleepAverages(of: nights))
        }
    }
}
