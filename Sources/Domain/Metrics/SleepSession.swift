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

/// What a session adds to the figures of its night.
public struct SleepShare: Hashable, Sendable {
    /// The stretches in which its sleep counts, ascending; empty without sleep.
    public var stretches: [InstantRange]
    /// The milliseconds that it adds: the sums over the sessions of a night are the figures of the night.
    public var durations: SleepDurations

    /// Creates a share.
    public init(stretches: [InstantRange], durations: SleepDurations) {
        self.stretches = stretches
        self.durations = durations
    }
}

/// One session of sleep by one recorder: samples with no gap of more than an hour (configurable) between them.
public struct SleepSession: Hashable, Sendable {
    /// What a session is a part of.
    public enum Role: String, Sendable, Codable {
        /// The main sleep of its day: the night, or the sleep of a day sleeper.
        case main
        /// Other sleep of less than three hours, or of less than three hours by day.
        case nap
        /// Other sleep of three hours or more.
        case additional
    }

    /// The day of its night: the date of the last moment asleep of all recorders, or the next date if the night began at
    /// 18:00 or later of it. The day of a nap is the date on which it ends.
    public var day: CalendarDay
    /// The first moment asleep of the night or nap of which the session is a part, which identifies it: sessions of one night
    /// have the same, and other nights another. Without sleep, the start of the session.
    public var onset: Instant
    /// The role of that night or nap.
    public var role: Role
    /// From the first start to the last end.
    public var interval: InstantRange
    /// The origin of the first sample.
    public var origin: SampleOrigin
    /// Seconds east of UTC at the start, by the clock of the session.
    public var offsetSeconds: Int64
    /// The stages by start; empty if a feed contains only sums.
    public var stages: [SleepStageInterval]
    /// The time in each stage, as this recorder measured it.
    public var durations: SleepDurations
    /// What counts of it; `nil` if other recorders cover all of it.
    public var share: SleepShare?

    /// Creates a session.
    public init(
        day: CalendarDay, onset: Instant, role: Role, interval: InstantRange, origin: SampleOrigin,
        offsetSeconds: Int64, stages: [SleepStageInterval], durations: SleepDurations, share: SleepShare?
    ) {
        self.day = day
        self.onset = onset
        self.role = role
        self.interval = interval
        self.origin = origin
        self.offsetSeconds = offsetSeconds
        self.stages = stages
        self.durations = durations
        self.share = share
    }

    /// Creates a session that is a night or nap by itself and counts in full.
    public init(
        day: CalendarDay, role: Role = .main, interval: InstantRange, origin: SampleOrigin, offsetSeconds: Int64,
        stages: [SleepStageInterval], durations: SleepDurations
    ) {
        self.init(
            day: day, onset: interval.start, role: role, interval: interval, origin: origin,
            offsetSeconds: offsetSeconds, stages: stages, durations: durations,
            share: SleepShare(stretches: [interval], durations: durations))
    }
}

extension SleepDurations {
    /// Creates the durations of a session.
    ///
    /// Every moment counts once: a stage outranks sleep without a stage, and sleep outranks being awake. If a recorder
    /// has two stages at one moment, deep counts before REM, and REM before core.
    ///
    /// - Parameters:
    ///   - stages: the intervals of the session in any order. Time outside the session does not count.
    ///   - interval: from the first start to the last end.
    public init(of stages: [SleepStageInterval], within interval: InstantRange) {
        self.init()
        inBed = interval.milliseconds
        var counted = Coverage()
        func newly(_ stage: SleepStage) -> Int64 {
            let before = counted.length
            var stretches = Coverage()
            for item in stages.filter({ $0.stage == stage }).map(\.interval).sorted(by: { $0.start < $1.start }) {
                guard let inside = item.intersection(interval) else { continue }
                stretches.append(inside.start.milliseconds, inside.end.milliseconds)
            }
            counted.formUnion(stretches)
            return counted.length - before
        }
        deep = newly(.deep)
        rem = newly(.rem)
        core = newly(.core)
        unspecified = newly(.asleep)
        asleep = deep + rem + core + unspecified
        awake = newly(.awake)
    }
}

extension SleepDurations {
    /// Creates the durations of a night from the sums of a feed, which have no intervals. Of overlapping sums of one stage,
    /// such as those of a night that was written again, the larger counts. If several sources are joined
    /// (`Watch|Sleep++`), sleep without a stage is the same night by another source: it counts only without stages.
    init(ofSums samples: [SleepSample], within interval: InstantRange) {
        self.init()
        deep = Self.total(.deep, samples)
        rem = Self.total(.rem, samples)
        core = Self.total(.core, samples)
        let isJoined = samples.contains { $0.origin.sourceName.contains("|") }
        unspecified = isJoined && deep + rem + core > 0 ? 0 : Self.total(.asleep, samples)
        awake = Self.total(.awake, samples)
        self = limited(to: interval)
    }

    /// Returns the durations limited to a session of `interval`: sleep and time awake together are at most the time in bed.
    /// As for overlapping stages, deep sleep counts before REM, REM before core, core before sleep without a stage, and
    /// that before being awake.
    package func limited(to interval: InstantRange) -> SleepDurations {
        var left = interval.milliseconds
        func fitting(_ stated: Int64) -> Int64 {
            let length = min(left, max(0, stated))
            left -= length
            return length
        }
        var limited = SleepDurations()
        limited.inBed = interval.milliseconds
        limited.deep = fitting(deep)
        limited.rem = fitting(rem)
        limited.core = fitting(core)
        limited.unspecified = fitting(unspecified)
        limited.asleep = interval.milliseconds - left
        limited.awake = fitting(awake)
        return limited
    }

    private static func total(_ stage: SleepStage, _ samples: [SleepSample]) -> Int64 {
        var counted: [SleepSample] = []
        var total: Int64 = 0
        let statements = samples.filter { $0.stage == stage }
            .sorted { ($1.sum ?? 0, $0.start, $0.end) < ($0.sum ?? 0, $1.start, $1.end) }
        for statement in statements where !counted.contains(where: { $0.overlaps(statement) }) {
            counted.append(statement)
            total += max(0, min(statement.sum ?? 0, 7 * 86_400_000))
        }
        return total
    }
}

extension SleepSample {
    fileprivate func overlaps(_ other: SleepSample) -> Bool {
        interval == other.interval || interval.intersection(other.interval) != nil
    }
}

extension SleepStage {
    /// The stages from the lightest to the deepest, the order in charts and legends.
    package static let fromLightest: [SleepStage] = [.inBed, .awake, .rem, .asleep, .core, .deep]

    /// The name to show.
    package var name: String {
        switch self {
        case .inBed: "in bed"
        case .rem: "REM"
        case .asleep, .awake, .core, .deep: rawValue
        }
    }
}

extension SleepDurations {
    /// The figures of a session as a server returns them: minutes in bed, asleep, awake, and of REM, core and deep
    /// sleep, rounded to four decimals, and the efficiency in percent.
    package var sentFigures: [Double] {
        let minutes = [inBed, asleep, awake, rem, core, deep].map { Double($0) / 60_000 }
        return (minutes + [efficiencyPercentage]).map(Self.rounded)
    }

    /// Returns `value` rounded to four decimals.
    package static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

extension SleepSession {
    /// The id of the night or nap of which the session is a part, as it is sent: its first moment asleep.
    package var nightID: String { RFC3339.string(onset) }

    /// The durations that a server computes from the session as sent.
    package var durationsOnServer: SleepDurations {
        stages.isEmpty ? durations.limited(to: interval) : SleepDurations(of: stages, within: interval)
    }
}
