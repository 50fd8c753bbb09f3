extension SleepDurations {
    /// The time of each kind within a session.
    ///
    /// Every moment counts once: a staged stretch outranks an unstaged one over the same time and sleep outranks being
    /// awake. Where a recorder states two stages for one moment, deep counts before REM and REM before core.
    ///
    /// - Parameters:
    ///   - stages: the session's stretches, in any order. What lies outside of the session does not count.
    ///   - interval: first start to last end.
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
