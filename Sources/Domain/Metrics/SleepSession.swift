/// A state of sleep, by the words of the wire.
public enum SleepStage: String, Sendable, Codable, CaseIterable {
    /// In bed, asleep or not.
    case inBed = "in_bed"
    /// Asleep, stage not known.
    case asleep
    /// Awake between stretches of sleep.
    case awake
    /// Light (core) sleep.
    case core
    /// Deep sleep.
    case deep
    /// Rapid eye movement sleep.
    case rem

    /// The stage of a number of `HKCategoryValueSleepAnalysis`; `nil` for numbers HealthKit does not define.
    public init?(healthKitValue: Int) {
        let stages: [SleepStage] = [.inBed, .asleep, .awake, .core, .deep, .rem]
        guard stages.indices.contains(healthKitValue) else { return nil }
        self = stages[healthKitValue]
    }

    /// Whether the person sleeps in it.
    public var isSleep: Bool {
        switch self {
        case .core, .deep, .rem, .asleep: true
        case .inBed, .awake: false
        }
    }
}

/// A stretch of one stage.
public struct SleepStageInterval: Hashable, Sendable {
    /// The stage.
    public var stage: SleepStage
    /// When.
    public var interval: InstantRange

    /// The stage over that stretch.
    public init(stage: SleepStage, interval: InstantRange) {
        self.stage = stage
        self.interval = interval
    }
}

/// Milliseconds of each kind within a session; overlapping stretches count once.
public struct SleepDurations: Hashable, Sendable {
    /// First start to last end.
    public var inBed: Int64 = 0
    /// Union of core, deep, rem and asleep.
    public var asleep: Int64 = 0
    /// Union of awake, outside sleep.
    public var awake: Int64 = 0
    /// Core sleep.
    public var core: Int64 = 0
    /// Deep sleep.
    public var deep: Int64 = 0
    /// REM sleep.
    public var rem: Int64 = 0
    /// Sleep without a stage, where no stage stands over the same time.
    public var unspecified: Int64 = 0

    /// All zero.
    public init() {}

    /// Whether sleep was measured; where it was not, just the time in bed is known, and sleep and efficiency are not 0. Who
    /// was seen awake all through was measured, and slept 0.
    public var isSleepKnown: Bool { asleep > 0 || awake > 0 }

    /// Sleep ÷ time in bed × 100; 0 without time in bed, never over 100.
    public var efficiencyPercentage: Double {
        inBed > 0 ? min(100, Double(asleep) / Double(inBed) * 100) : 0
    }
}

/// One stretch of sleep by one recorder: samples with no gap of more than an hour (configurable) between them.
public struct SleepSession: Hashable, Sendable {
    /// What part of a person's sleep a session is.
    public enum Role: String, Sendable, Codable {
        /// The longest session of a night.
        case main
        /// A further session with less than three hours of sleep.
        case nap
        /// A further session with three hours of sleep or more.
        case additional
    }

    /// The day whose night (noon before to noon) holds the start.
    public var night: CalendarDay
    /// The day it counts for: the night, or for a nap the calendar day on which it ends.
    public var day: CalendarDay
    /// First start and last end.
    public var interval: InstantRange
    /// Who recorded it.
    public var origin: SampleOrigin
    /// Whether this is the recorder's main sleep of the night.
    public var role: Role
    /// Whether this is what summaries show for its role and day, where several recorders saw the same night.
    public var isPreferred: Bool
    /// Seconds east of UTC on the person's wall clock at the start.
    public var offsetSeconds: Int64
    /// Stretches by start; empty when the feed states only sums.
    public var stages: [SleepStageInterval]
    /// Time of each kind.
    public var durations: SleepDurations

    /// A session with these parts.
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
