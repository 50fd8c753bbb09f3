import HealthSyncDomain

/// The rule of the merge, said minute by minute: slow, and sharing no line with `StepMerge`.
enum MinuteOracle {
    /// Real (not rounded) quantity of each hour bucket, by its start.
    static func hours(_ input: RandomSteps) -> [Int64: Double] {
        var result: [Int64: Double] = [:]
        var taken: Set<Int64> = []
        var takenInstants: Set<Int64> = []
        let buckets = input.range.flatMap { input.clock.hours(of: $0) }
        for origin in input.samples.sorted(by: { RandomSteps.priority.precedes($0.origin, $1.origin) }) {
            var seen: Set<[Double]> = []
            var own: Set<Int64> = []
            var ownInstants: Set<Int64> = []
            let columns = origin.columns
            for index in 0..<columns.count {
                let start = columns.starts[index]
                let minutes = columns.durations[index] / 60_000
                guard seen.insert([Double(start), Double(minutes), columns.values[index]]).inserted else { continue }
                if minutes == 0 {
                    ownInstants.insert(start)
                    if !taken.contains(start), !takenInstants.contains(start) {
                        add(columns.values[index], at: start, to: &result, buckets)
                    }
                }
                for minute in 0..<minutes {
                    let moment = start + minute * 60_000
                    own.insert(moment)
                    if !taken.contains(moment) {
                        add(columns.values[index] / Double(minutes), at: moment, to: &result, buckets)
                    }
                }
            }
            taken.formUnion(own)
            takenInstants.formUnion(ownInstants)
        }
        return result
    }

    private static func add(
        _ amount: Double, at moment: Int64, to result: inout [Int64: Double], _ buckets: [InstantRange]
    ) {
        guard let bucket = buckets.first(where: { $0.contains(Instant(milliseconds: moment)) }) else { return }
        result[bucket.start.milliseconds, default: 0] += amount
    }
}
