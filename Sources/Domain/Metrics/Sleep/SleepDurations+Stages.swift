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
