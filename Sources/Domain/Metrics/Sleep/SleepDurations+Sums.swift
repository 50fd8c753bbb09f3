extension SleepDurations {
    /// The sums that a feed states for a night without saying when. Of statements of one stage that overlap, as of a
    /// night that was stated again, the larger counts.
    init(ofSums samples: [SleepSample], within interval: InstantRange) {
        self.init()
        inBed = interval.milliseconds
        deep = Self.total(.deep, samples)
        rem = Self.total(.rem, samples)
        core = Self.total(.core, samples)
        unspecified = Self.total(.asleep, samples)
        asleep = deep + rem + core + unspecified
        awake = Self.total(.awake, samples)
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
