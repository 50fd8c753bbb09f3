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

/// The sleep of one day by all its recorders.
package struct SleepNight: Hashable, Sendable {
    /// The day to which the night belongs.
    package let day: CalendarDay
    /// The main sleep, which averages and summaries use.
    package let main: SleepEpisode
    /// Additional sleep, by start.
    package let additional: [SleepEpisode]
    /// The sessions that other recorders cover, as they measured them, by start.
    package let others: [SleepEpisode]
}

/// Means over the main sleep of nights, in milliseconds.
///
/// Excludes nights of which only the time in bed is known.
package struct SleepAverages: Hashable, Sendable {
    /// Means over nights whose sleep has stages, in milliseconds.
    package struct Stages: Hashable, Sendable {
        /// The number of such nights, at least 1.
        package let nights: Int
        package let awake: Double
        package let rem: Double
        package let core: Double
        package let deep: Double
    }

    /// The number of nights, at least 1.
    package let nights: Int
    package let inBed: Double
    package let asleep: Double
    /// The mean of the nights' efficiencies, in percent.
    package let efficiencyPercentage: Double
    /// `nil` if no night has stages.
    package let stages: Stages?

    /// Creates the means over the main sleeps of `nights`; `nil` if none has sleep.
    init?(of nights: [SleepNight]) { self.init(of: nights.map(\.main.durations)) }

    /// Creates the means over main sleeps; `nil` if none has sleep.
    package init?(of mains: [SleepDurations]) {
        let slept = mains.filter(\.isSleepKnown)
        guard !slept.isEmpty else { return nil }
        self.nights = slept.count
        inBed = Self.mean(slept) { Double($0.inBed) }
        asleep = Self.mean(slept) { Double($0.asleep) }
        efficiencyPercentage = Self.mean(slept) { $0.efficiencyPercentage }
        let staged = slept.filter { $0.core + $0.deep + $0.rem > 0 }
        stages =
            staged.isEmpty
            ? nil
            : Stages(
                nights: staged.count, awake: Self.mean(staged) { Double($0.awake) },
                rem: Self.mean(staged) { Double($0.rem) }, core: Self.mean(staged) { Double($0.core) },
                deep: Self.mean(staged) { Double($0.deep) })
    }

    private static func mean(_ nights: [SleepDurations], _ figure: (SleepDurations) -> Double) -> Double {
        (nights.reduce(0) { $0 + figure($1) } / Double(nights.count)).asFigure
    }

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

extension SleepAverages {
    /// Returns a note that the means exclude `count` nights of which only the time in bed is known; `nil` for 0.
    package static func note(onlyInBed count: Int, number: (Int) -> String) -> String? {
        guard count > 0 else { return nil }
        let nights = CountText.of(count, "night", number: number)
        return "of \(nights) only the time in bed is known; no average includes \(count == 1 ? "it" : "them")"
    }
}
