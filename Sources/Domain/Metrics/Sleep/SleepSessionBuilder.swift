/// Makes sessions of sleep out of samples of `HKCategoryTypeIdentifierSleepAnalysis`.
///
/// - Samples of one recorder (`SampleOrigin.recorder`) in order of start make one session as long as no gap between them
///   is longer than `gapMinutes`. Identical samples count once; values HealthKit does not define are left out.
/// - A session belongs to the night (noon to noon) that holds its start, by the zone that its first sample states, or
///   the next one that states any, else by the person's clock.
/// - The longest session of a recorder's night is the main sleep (of equal ones the one with more sleep, then the
///   earlier); another one with less than three hours of sleep is a nap and counts for the calendar day on which it
///   ends; one with more is additional.
/// - Of several recorders that saw a night, one is preferred: one with stages before one that only says asleep, that
///   before one that only says in bed, then by priority. Its sessions are preferred, and so are further sessions of
///   other recorders that overlap no preferred one, because only they saw that nap.
/// - Sums without stretches (`SampleDetail.stateMilliseconds`) make sessions without stages, apart from stretches. Sums
///   that end on different days are different nights, even where they abut, unless they overlap and begin in one night.
///   Of statements of one stage that overlap, the larger counts.
///
/// The sessions of a night are the same however many nights are asked together, as long as the samples of whole
/// sessions are given.
public struct SleepSessionBuilder {
    /// The gap of the design: one hour.
    public static let standardGapMinutes = 60

    private let days: DayRange
    private let gap: Int64
    private let rules: DerivationRules

    /// A builder for the nights of `days`.
    ///
    /// - Parameters:
    ///   - days: the days whose nights are asked.
    ///   - gapMinutes: the longest gap within a session.
    ///   - rules: the clocks and the order of origins.
    public init(
        days: DayRange, gapMinutes: Int = SleepSessionBuilder.standardGapMinutes, rules: DerivationRules
    ) {
        self.days = days
        gap = Int64(gapMinutes) * 60_000
        self.rules = rules
    }

    /// The sessions of the nights asked for, by night, start and origin; and the number of samples left out.
    public func sessions(of samples: [OriginSamples]) -> DerivedDays {
        var skipped: [String: Int] = [:]
        var byRecorder: [String: [SleepSample]] = [:]
        var sumsByRecorder: [String: [SleepSample]] = [:]
        for origin in samples {
            var stretches: [SleepSample] = []
            var sums: [SleepSample] = []
            for (sample, isSum) in SleepSample.samples(of: origin, noting: { count($0, at: $1, in: &skipped) }) {
                if isSum { sums.append(sample) } else { stretches.append(sample) }
            }
            let recorder = origin.origin.recorder
            byRecorder[recorder, default: []] += stretches
            sumsByRecorder[recorder, default: []] += sums
        }
        let found = byRecorder.values.flatMap(chains) + sumsByRecorder.values.flatMap(nights)
        let sessions = found.map(session).filter { days.contains($0.night) }
        return DerivedDays(sleepSessions: SleepSession.ranked(sessions, by: rules.originPriority), skipped: skipped)
    }

    private func count(_ reason: String, at start: Int64, in skipped: inout [String: Int]) {
        if days.contains(rules.clock.nightDay(of: Instant(milliseconds: start))) { skipped[reason, default: 0] += 1 }
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

    /// Whether `sample` belongs to the night that begins with `first` and lasts until `end`.
    private func continues(_ first: SleepSample, until end: Instant, with sample: SleepSample) -> Bool {
        let clock = rules.clock(forZone: first.zoneName)
        if clock.day(of: end) == clock.day(of: sample.end) {
            return sample.start.milliseconds - end.milliseconds <= gap
        }
        return sample.start < end && clock.nightDay(of: first.start) == clock.nightDay(of: sample.start)
    }

    private func session(of chain: [SleepSample]) -> SleepSession {
        let interval = InstantRange(start: chain[0].start, end: chain.reduce(chain[0].end) { max($0, $1.end) })
        let clock = rules.clock(forZone: chain.lazy.compactMap(\.zoneName).first)
        let isSum = chain[0].sum != nil
        let stages = isSum ? [] : chain.map { SleepStageInterval(stage: $0.stage, interval: $0.interval) }
        let night = clock.nightDay(of: interval.start)
        return SleepSession(
            night: night, day: night, interval: interval, origin: chain[0].origin, role: .main, isPreferred: false,
            offsetSeconds: clock.offsetSeconds(at: interval.start), stages: stages,
            durations: isSum
                ? SleepDurations(ofSums: chain, within: interval) : SleepDurations(of: stages, within: interval))
    }
}
