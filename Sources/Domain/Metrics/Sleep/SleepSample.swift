/// A sample of sleep: an interval in one stage, or the sum of a stage within a night.
struct SleepSample {
    let origin: SampleOrigin
    let stage: SleepStage
    let start: Instant
    let end: Instant
    let zoneName: String?
    /// The sum in milliseconds; `nil` if the sample is an interval.
    let sum: Int64?

    var interval: InstantRange { InstantRange(start: start, end: end) }

    /// Returns the plausible samples of `samples`. Calls `note` with the reason and the start of each other one.
    static func samples(
        of samples: OriginSamples, noting note: (String, Int64) -> Void
    ) -> [(sample: SleepSample, isSum: Bool)] {
        let columns = samples.columns
        let replaced = ReplacedSleep.rows(of: columns)
        return (0..<columns.count).compactMap { index in
            if replaced.contains(index) { return nil }
            guard let number = Int(exactly: columns.values[index]), let stage = SleepStage(healthKitValue: number)
            else {
                note("unknown stage", columns.starts[index])
                return nil
            }
            let sum = columns.details[index]?.stateMilliseconds
            if let reason = fault(stage, columns.durations[index], isSum: sum != nil) {
                note(reason, columns.starts[index])
                return nil
            }
            let interval = columns.interval(index)
            return (
                SleepSample(
                    origin: samples.origin, stage: stage, start: interval.start, end: interval.end,
                    zoneName: columns.zoneName(index), sum: sum), sum != nil
            )
        }
    }

    /// Returns why an interval is not a part of a session; `nil` if it is.
    private static func fault(_ stage: SleepStage, _ length: Int64, isSum: Bool) -> String? {
        if length > longest { return "longer than a week" }
        if isSum { return nil }
        if length == 0 { return "without length" }
        if stage == .inBed && length > longestInBed { return "more than 16 hours in bed" }
        if stage == .awake && length > longestAwake { return "more than three hours awake" }
        return nil
    }

    // One implausibly long sample would join the sessions of years.
    private static let longest: Int64 = 7 * 86_400_000
    /// The longest time in bed and awake, in milliseconds: an app wrote three nights in bed as one of 58 hours.
    static let longestInBed: Int64 = 16 * 3_600_000
    static let longestAwake: Int64 = 3 * 3_600_000
}

extension [SleepSample] {
    /// Returns the samples by start, end, stage and origin, each interval of a stage once.
    func uniqued() -> [SleepSample] {
        let ordered = sorted {
            // Texts are made only for samples of the same interval.
            if $0.start != $1.start { return $0.start < $1.start }
            if $0.end != $1.end { return $0.end < $1.end }
            return ($0.stage.rawValue, $0.sum ?? 0, $0.origin.orderingText)
                < ($1.stage.rawValue, $1.sum ?? 0, $1.origin.orderingText)
        }
        var kept: [SleepSample] = []
        for sample in ordered {
            if let last = kept.last, last.start == sample.start, last.end == sample.end, last.stage == sample.stage,
                last.sum == sample.sum
            {
                continue
            }
            kept.append(sample)
        }
        return kept
    }
}
