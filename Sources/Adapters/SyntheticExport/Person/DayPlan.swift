import HealthSyncDomain

/// The true events around one day, before devices record them.
struct DayPlan: Sendable {
    var day: CalendarDay
    /// The IANA name of the user's time zone.
    var zoneName: String
    /// From the start of the day to the start of the next.
    var span: Span
    var night: Night
    var nightAfter: Night
    var nap: SleepStretch?
    var wear: WatchWear
    /// The walks by start; the last one may extend into the next day.
    var walks: [Walk]
    var watch: Device
    var phone: Device
    /// The resting heart rate per minute.
    var restingRate: Int64
    /// Whether this is the last day of the export.
    var isLast: Bool

    /// From getting up to going to bed.
    var awake: Span { Span(start: night.inBed.end, end: nightAfter.inBed.start) }

    func isAsleep(at instant: Int64) -> Bool {
        night.inBed.contains(instant) || nightAfter.inBed.contains(instant)
            || nap?.span.contains(instant) == true
    }
}

/// A half-open time interval in whole seconds since 1970-01-01T00:00:00Z.
struct Span: Sendable, Hashable {
    var start: Int64
    var end: Int64

    var seconds: Int64 { end - start }

    func contains(_ instant: Int64) -> Bool { start <= instant && instant < end }

    fileprivate func overlaps(_ other: Span) -> Bool { start < other.end && other.start < end }

    /// Returns the length of the overlap in seconds.
    func common(with other: Span) -> Int64 { max(0, min(end, other.end) - max(start, other.start)) }
}

/// The sleep before a day, and its records by devices.
struct Night: Sendable, Hashable {
    /// The day after the night.
    var day: CalendarDay
    /// From going to bed to getting up, whether recorded or not.
    var inBed: Span
    var isWatchWorn: Bool
    /// The stretches recorded by the watch: one, or two with more than an hour between them; none if not worn.
    var watchStretches: [SleepStretch]
    /// The time in bed recorded by the phone.
    var phoneInBed: Span?
}

/// The records of one device from going to bed to getting up. Stages do not overlap, except that unspecified sleep may
/// overlap core sleep.
struct SleepStretch: Sendable, Hashable {
    /// The stages by start.
    var stages: [StageSpan]

    /// From the first start to the last end.
    var span: Span {
        stages.dropFirst().reduce(stages.first?.span ?? Span(start: 0, end: 0)) { whole, next in
            Span(start: min(whole.start, next.span.start), end: max(whole.end, next.span.end))
        }
    }

    /// Returns the seconds of `stage`; for unspecified sleep only those without another stage.
    func seconds(of stage: SleepStage) -> Int64 {
        let all = stages.filter { $0.stage == stage }.reduce(0) { $0 + $1.span.seconds }
        return stage == .asleep ? all - secondsOfSleepUnderStages : all
    }

    var secondsAsleep: Int64 {
        [SleepStage.core, .deep, .rem, .asleep].reduce(0) { $0 + seconds(of: $1) }
    }

    private var secondsOfSleepUnderStages: Int64 {
        stages.filter { $0.stage == .asleep }.reduce(0) { sum, unstaged in
            sum
                + stages.filter { $0.stage != .asleep && $0.stage.isSleep }
                .reduce(0) { $0 + $1.span.common(with: unstaged.span) }
        }
    }
}

/// An interval of one stage, as a device records it.
struct StageSpan: Sendable, Hashable {
    var stage: SleepStage
    var span: Span
}

/// The times when the watch was off the wrist around one day.
struct WatchWear: Sendable, Hashable {
    /// The intervals off the wrist, which may overlap.
    var off: [Span]
    /// Whether the watch stayed on the charger all day.
    var isForgotten: Bool

    func isWorn(at instant: Int64) -> Bool { !off.contains { $0.contains(instant) } }

    func isWorn(during span: Span) -> Bool { !off.contains { $0.overlaps(span) } }
}

/// A true walk at an even pace.
struct Walk: Sendable, Hashable {
    enum Kind: Sendable {
        /// A few steps indoors.
        case errand
        case stroll
        case exercise
    }

    var span: Span
    var steps: Int64
    var kind: Kind
    /// Whether the watch counted all of it; otherwise it counted nothing.
    var hasWatch: Bool
    /// Whether the phone was carried.
    var hasPhone: Bool
    /// The length of a step in millimeters.
    var stride: Int64

    /// Whether it counts as exercise: a brisk pace for several minutes.
    var isBrisk: Bool { kind == .exercise || (kind == .stroll && steps * 60 >= span.seconds * 112) }

    /// The distance in millimeters.
    var millimetres: Int64 { steps * stride }
}
