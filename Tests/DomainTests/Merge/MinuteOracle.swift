import HealthSyncDomain

/// The rule of the merge, applied minute by minute: a slow reference implementation that shares no code with
/// `CumulativeMerge`.
enum MinuteOracle {
    /// Returns the real (not rounded) quantity of each hour bucket, by its start.
    static func hours(_ input: RandomSteps) -> [Int64: Double] {
        let buckets = input.range.flatMap { input.clock.hours(of: $0) }
        return sums(input) { moment in buckets.first { $0.contains(moment) }?.start.milliseconds }
    }

    /// Returns the real quantity of the minutes and instants with the same `key`; those without a key are ignored.
    static func sums<Key: Hashable>(_ input: RandomSteps, by key: (Instant) -> Key?) -> [Key: Double] {
        var result: [Key: Double] = [:]
        func add(_ amount: Double, at moment: Int64) {
            if let key = key(Instant(milliseconds: moment)) { result[key, default: 0] += amount }
        }
        var taken: Set<Int64> = []
        var instantsOfHours: [Int64: Double] = [:]
        let hours = input.range.flatMap { input.clock.hours(of: $0) }
        for origin in input.samples.sorted(by: { RandomSteps.priority.precedes($0.origin, $1.origin) }) {
            var seen: Set<[Double]> = []
            var own: Set<Int64> = []
            var ownInstants: [(start: Int64, hour: Int64, value: Double)] = []
            let columns = origin.columns
            for index in 0..<columns.count {
                let start = columns.starts[index]
                let minutes = columns.durations[index] / 60_000
                guard seen.insert([Double(start), Double(minutes), columns.values[index]]).inserted else { continue }
                if minutes == 0 {
                    let hour = hours.first { $0.contains(Instant(milliseconds: start)) }
                    if let hour, !taken.contains(start) {
                        ownInstants.append((start, hour.start.milliseconds, columns.values[index]))
                    }
                }
                for minute in 0..<minutes {
                    let moment = start + minute * 60_000
                    own.insert(moment)
                    if !taken.contains(moment) {
                        add(columns.values[index] / Double(minutes), at: moment)
                    }
                }
            }
            taken.formUnion(own)
            for (hour, instants) in Dictionary(grouping: ownInstants, by: \.hour) {
                let sum = instants.reduce(0) { $0 + $1.value }
                let known = instantsOfHours[hour]
                for instant in instants where known.map({ sum > $0 }) ?? true {
                    add(instant.value * (sum > 0 ? (sum - (known ?? 0)) / sum : 1), at: instant.start)
                }
                instantsOfHours[hour] = max(known ?? 0, sum)
            }
        }
        return result
    }
}
