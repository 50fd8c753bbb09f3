/// Builds sleep sessions from samples of `HKCategoryTypeIdentifierSleepAnalysis`.
///
/// - Samples of one recorder (`SampleOrigin.recorder`) form one session if no gap between them is longer than
///   `gapMinutes`. Identical samples count once. Values that HealthKit does not define are skipped.
/// - A session belongs to the night (noon to noon) that contains its start, by the zone of the first sample that has one,
///   else by the user's clock.
/// - The longest session of a recorder's night is the main sleep (of equal ones the one with more sleep, then the earlier).
///   Another one with less than three hours of sleep is a nap and counts for the date on which it ends, by the
///   wall clock of its start; one with more sleep is additional.
/// - Of several recorders of a night, one is preferred: one with stages before one with sleep only, that before one with
///   time in bed only, then by priority. Its sessions are preferred, and so are additional sessions and naps of other
///   recorders that overlap no preferred one.
/// - Sums without intervals (`SampleDetail.stateMilliseconds`) form sessions without stages, separate from those with
///   stages. Sums that end on different days are different nights, even if they are adjacent, unless they overlap and
///   begin in one night. Of overlapping sums of one stage, the larger counts.
///
/// The sessions of a night do not depend on the nights that are derived together, as long as the samples contain whole
/// sessions.
public struct SleepSessionBuilder {
    /// The longest gap within a session by default: one hour.
    public static let standardGapMinutes = 60

    private let days: DayRange
    private let gap: Int64
    private let rules: DerivationRules

    /// Creates a builder for the nights of `days`.
    ///
    /// - Parameters:
    ///   - days: the days whose nights are derived.
    ///   - gapMinutes: the longest gap within a session.
    ///   - rules: the clocks and the order of origins.
    public init(
        days: DayRange, gapMinutes: Int = SleepSessionBuilder.standardGapMinutes, rules: DerivationRules
    ) {
        self.days = days
        gap = Int64(gapMinutes) * 60_000
        self.rules = rules
    }

    /// Returns the sessions of the nights by night, start and origin, and the numbers of skipped samples.
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

    /// Returns whether `sample` belongs to the night that begins with `first` and lasts until `end`.
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
