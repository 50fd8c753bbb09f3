/// A stage of sleep. Raw values are those of the receiving API.
public enum SleepStage: String, Sendable, Codable, CaseIterable {
    /// In bed, asleep or not.
    case inBed = "in_bed"
    /// Asleep, stage unknown.
    case asleep
    /// Awake between intervals of sleep.
    case awake
    /// Light (core) sleep.
    case core
    /// Deep sleep.
    case deep
    /// Rapid eye movement sleep.
    case rem

    /// Creates the stage of a value of `HKCategoryValueSleepAnalysis`; `nil` for values that HealthKit does not define.
    public init?(healthKitValue: Int) {
        let stages: [SleepStage] = [.inBed, .asleep, .awake, .core, .deep, .rem]
        guard stages.indices.contains(healthKitValue) else { return nil }
        self = stages[healthKitValue]
    }

    /// Whether the stage is sleep.
    public var isSleep: Bool {
        switch self {
        case .core, .deep, .rem, .asleep: true
        case .inBed, .awake: false
        }
    }
}

/// An interval of one stage.
public struct SleepStageInterval: Hashable, Sendable {
    /// The stage.
    public var stage: SleepStage
    /// The time of the stage.
    public var interval: InstantRange

    /// Creates an interval of `stage`.
    public init(stage: SleepStage, interval: InstantRange) {
        self.stage = stage
        self.interval = interval
    }
}

/// The milliseconds of each stage within a session; overlapping intervals count once.
public struct SleepDurations: Hashable, Sendable {
    /// The time in bed, from the first start to the last end.
    public var inBed: Int64 = 0
    /// The union of core, deep, REM and asleep.
    public var asleep: Int64 = 0
    /// The union of awake, outside sleep.
    public var awake: Int64 = 0
    /// Core sleep.
    public var core: Int64 = 0
    /// Deep sleep.
    public var deep: Int64 = 0
    /// REM sleep.
    public var rem: Int64 = 0
    /// Sleep without a stage, outside of stages.
    public var unspecified: Int64 = 0

    /// Creates durations of 0.
    public init() {}

    /// Whether sleep was measured. If not, only the time in bed is known, and sleep and efficiency are unknown rather than 0.
    /// A night that was recorded as awake throughout was measured, with a sleep of 0.
    public var isSleepKnown: Bool { asleep > 0 || awake > 0 }

    /// Sleep ÷ time in bed × 100; 0 without time in bed, never over 100.
    public var efficiencyPercentage: Double {
        inBed > 0 ? min(100, Double(asleep) / Double(inBed) * 100) : 0
    }
}

/// One session of sleep by one recorder: samples with no gap of more than an hour (configurable) between them.
public struct SleepSession: Hashable, Sendable {
    /// The role of a session among those of a night.
    public enum Role: String, Sendable, Codable {
        /// The longest session of a night.
        case main
        /// A further session with less than three hours of sleep.
        case nap
        /// A further session with three hours of sleep or more.
        case additional
    }

    /// The day whose night (noon of the day before to noon) contains the start.
    public var night: CalendarDay
    /// The day for which it counts: the night, or for a nap the date on which it ends, by the wall clock of its start.
    public var day: CalendarDay
    /// From the first start to the last end.
    public var interval: InstantRange
    /// The origin of the first sample.
    public var origin: SampleOrigin
    /// The role among the sessions of its recorder in the night.
    public var role: Role
    /// Whether summaries show this session, if several recorders recorded the night.
    public var isPreferred: Bool
    /// Seconds east of UTC at the start, by the clock of the session.
    public var offsetSeconds: Int64
    /// The stages by start; empty if a feed contains only sums.
    public var stages: [SleepStageInterval]
    /// The time in each stage.
    public var durations: SleepDurations

    /// Creates a session.
    public init(
        night: CalendarDay, day: CalendarDay, interval: InstantRange, origin: SampleOrigin, role: Role,
        isPreferred: Bool, offsetSeconds: Int64, stages: [SleepStageInterval], durations: SleepDurations
    ) {
        self.night = night
        self.day = day
        self.interval = interval
        self.origin = origin
        self.role = role
        self.isPreferred = isPreferred
        self.offsetSeconds = offsetSeconds
        self.stages = stages
        self.durations = durations
    }
}
