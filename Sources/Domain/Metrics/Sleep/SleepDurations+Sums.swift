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
