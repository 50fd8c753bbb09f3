/// Builds sleep sessions from samples of `HKCategoryTypeIdentifierSleepAnalysis`.
///
/// - Samples of one recorder (`SampleOrigin.recorder`) form one session if no gap between them is longer than
///   `gapMinutes`. Identical samples count once. Values that HealthKit does not define are skipped, and so are samples
///   without length, more than 16 hours in bed and more than three hours awake, which some apps write.
/// - `SleepArrangement` decides which sessions are one night, what counts of each, and to which day they belong.
/// - Sums without intervals (`SampleDetail.stateMilliseconds`) form sessions without stages, separate from those with
///   stages. Sums that end on different days are different nights, even if they are adjacent, unless they overlap and
///   begin in one night. Of overlapping sums of one stage, the larger counts.
///
/// The sessions of a day do not depend on the days that are derived together, as long as the samples contain whole
/// nights.
public struct SleepSessionBuilder {
    /// The longest gap within a session by default: one hour.
    public static let standardGapMinutes = 60
    /// The longest time between the parts of a night by default: three hours.
    public static let standardNightGapMinutes = 180

    private let days: DayRange
    private let gapMinutes: Int
    private let nightGapMinutes: Int
    private let rules: DerivationRules

    /// Creates a builder for the nights of `days`.
    ///
    /// - Parameters:
    ///   - days: the days whose nights are derived.
    ///   - gapMinutes: the longest gap within a session.
    ///   - nightGapMinutes: the longest time between the parts of a night.
    ///   - rules: the clocks and the order of origins.
    public init(
        days: DayRange, gapMinutes: Int = SleepSessionBuilder.standardGapMinutes,
        nightGapMinutes: Int = SleepSessionBuilder.standardNightGapMinutes, rules: DerivationRules
    ) {
        self.days = days
        self.gapMinutes = gapMinutes
        self.nightGapMinutes = nightGapMinutes
        self.rules = rules
    }

    private var gap: Int64 { Int64(gapMinutes) * 60_000 }

    /// Returns the sessions of the days by day, start and origin, and the numbers of skipped samples.
    public func sessions(of samples: [OriginSamples]) -> DerivedDays {
        var skipped: [String: Int] = [:]
        var byRecorder: [ExactText: [SleepSample]] = [:]
        var sumsByRecorder: [ExactText: [SleepSample]] = [:]
        for origin in samples {
            var stretches: [SleepSample] = []
            var sums: [SleepSample] = []
            for (sample, isSum) in SleepSample.samples(of: origin, noting: { count($0, at: $1, in: &skipped) }) {
                if isSum { sums.append(sample) } else { stretches.append(sample) }
            }
            let recorder = ExactText(origin.origin.recorder)
            byRecorder[recorder, default: []] += stretches
            sumsByRecorder[recorder, default: []] += sums
        }
        let found = byRecorder.values.flatMap(chains) + sumsByRecorder.values.flatMap(nights)
        let clock = rules.clock
        let arrangement = SleepArrangement(
            gapMinutes: gapMinutes, nightGapMinutes: nightGapMinutes, priority: rules.originPriority
        ) { SleepClock(clock.rules(on: clock.day(of: $0))) }
        let sessions = arrangement.sessions(found.map(recorded)).filter { days.contains($0.day) }
        return DerivedDays(sleepSessions: sessions, skipped: skipped)
    }

    private func count(_ reason: String, at start: Int64, in skipped: inout [String: Int]) {
        if days.contains(rules.clock.day(of: Instant(milliseconds: start))) { skipped[reason, default: 0] += 1 }
    }

    private func chains(of samples: [SleepSample]) -> [[SleepSample]] {
        var chains: [[SleepSample]] = []
        var end = Int64.min
        for sample in samples.uniqued() {
            if let last = chains.indices.last, sample.start.milliseconds - end <= gap {
                chains[last].append(sample)
                end = max(end, sample.end.milliseconds)
            } else {
                chains.append([sample])
                end = sample.end.milliseconds
            }
        }
        return chains
    }

    private func nights(of sums: [SleepSample]) -> [[SleepSample]] {
        var nights: [[SleepSample]] = []
        var end = Instant(milliseconds: .min)
        for sample in sums.uniqued() {
            if let last = nights.indices.last, continues(nights[last][0], until: end, with: sample) {
                nights[last].append(sample)
                end = max(end, sample.end)
            } else {
                nights.append([sample])
                end = sample.end
            }
        }
        return nights
    }

    /// Returns whether `sample` belongs to the night that begins with `first` and lasts until `end`.
    private func continues(_ first: SleepSample, until end: Instant, with sample: SleepSample) -> Bool {
        let clock = rules.clock(forZone: first.zoneName)
        if clock.day(of: end) == clock.day(of: sample.end) {
            return sample.start.milliseconds - end.milliseconds <= gap
        }
        return sample.start < end && clock.nightDay(of: first.start) == clock.nightDay(of: sample.start)
    }

    private func recorded(_ chain: [SleepSample]) -> SleepArrangement.Recorded {
        let interval = InstantRange(start: chain[0].start, end: chain.reduce(chain[0].end) { max($0, $1.end) })
        let clock = rules.clock(forZone: chain.lazy.compactMap(\.zoneName).first)
        let isSum = chain[0].sum != nil
        let stages = isSum ? [] : chain.map { SleepStageInterval(stage: $0.stage, interval: $0.interval) }
        return SleepArrangement.Recorded(
            origin: chain[0].origin, interval: interval, stages: stages,
            durations: isSum
                ? SleepDurations(ofSums: chain, within: interval) : SleepDurations(of: stages, within: interval),
            offsetSeconds: clock.offsetSeconds(at: interval.start), clock: statedClock(of: chain))
    }

    private func statedClock(of chain: [SleepSample]) -> SleepArrangement.StatedClock? {
        let stated = chain.lazy.compactMap { sample in
            sample.zoneName.flatMap { self.rules.statedClock(forZone: $0) }.map { (sample, $0) }
        }
        return stated.max { ($0.0.end, $0.0.start) < ($1.0.end, $1.0.start) }.map { sample, clock in
            SleepArrangement.StatedClock(end: sample.end, clock: SleepClock(clock.home))
        }
    }
}
