/// A summary of one day, built after the metrics of the day. A value without measurements is absent, never 0.
public struct ActivitySnapshot: Hashable, Sendable, Codable {
    /// The calendar day, in the user's zone.
    public var day: CalendarDay
    /// Merged steps.
    public var steps: Double?
    /// Kilometers walked and run.
    public var walkingDistanceKilometres: Double?
    /// Active energy in kilocalories.
    public var activeEnergyKilocalories: Double?
    /// Minutes of exercise.
    public var exerciseMinutes: Double?
    /// Resting heart rate per minute.
    public var restingHeartRate: Double?
    /// Minutes asleep in the main sleep of the night before.
    public var minutesAsleep: Double?

    /// Creates an empty snapshot of `day`.
    public init(day: CalendarDay) { self.day = day }

    /// Whether the snapshot has no value.
    public var isEmpty: Bool { self == ActivitySnapshot(day: day) }
}

extension ActivitySnapshot {
    /// Creates the snapshot of `day` from its metrics.
    ///
    /// - Parameters:
    ///   - day: the calendar day.
    ///   - progress: figures of any metrics and days.
    ///   - sleep: sleep sessions of any days. Minutes asleep are those of the main sleep of `day`; absent if it states only
    ///     the time in bed.
    public init(day: CalendarDay, progress: [DailyProgress], sleep: [SleepSession]) {
        self.init(day: day)
        for item in progress where item.day == day {
            let quantity = item.figures.quantity
            switch item.metric {
            case .steps: steps = quantity
            case .walkingDistance: walkingDistanceKilometres = quantity
            case .activeEnergy: activeEnergyKilocalories = quantity
            case .exerciseMinutes: exerciseMinutes = quantity
            case .restingHeartRate: restingHeartRate = quantity
            default: break
            }
        }
        let night = NightTimes.nights(of: sleep.filter { $0.day == day }).first
        if let asleep = night?.asleep { minutesAsleep = Double(asleep) / 60_000 }
    }
}

/// When the main sleep of a day began and ended, without its stages.
public struct NightTimes: Hashable, Sendable {
    /// The day for which the night counts.
    public var day: CalendarDay
    /// From the first start to the last end.
    public var interval: InstantRange
    /// Seconds east of UTC at the start, by the clock of the session.
    public var offsetSeconds: Int64
    /// The milliseconds asleep; `nil` if only the time in bed is known.
    public var asleep: Int64?

    /// Creates the times of the night to `day`.
    public init(day: CalendarDay, interval: InstantRange, offsetSeconds: Int64, asleep: Int64?) {
        self.day = day
        self.interval = interval
        self.offsetSeconds = offsetSeconds
        self.asleep = asleep
    }

    /// Creates the times of `episode`.
    package init(_ episode: SleepEpisode) {
        self.init(
            day: episode.day, interval: episode.interval, offsetSeconds: episode.offsetSeconds,
            asleep: episode.durations.isSleepKnown ? episode.durations.asleep : nil)
    }

    /// Returns the times of the main sleeps of `sessions`, ascending by day.
    public static func nights(of sessions: [SleepSession]) -> [NightTimes] {
        SleepEpisode.episodes(of: sessions).filter { $0.role == .main }.map(NightTimes.init).sorted { $0.day < $1.day }
    }
}
