import HealthSyncDomain

/// Finds chains of samples, linked by gaps of at most `gap`, that reach from an edge of the loaded interval into the
/// requested nights. Only then may samples that were not loaded change a session.
struct ChainEdges {
    /// Milliseconds.
    let gap: Int64
    /// The loaded interval, half-open, in milliseconds since 1970.
    let begins: Int64
    let ends: Int64
    let nights: InstantRange

    func open(in window: [SampleType: [OriginSamples]]) -> (before: Bool, after: Bool) {
        var before = false
        var after = false
        let recorders = Dictionary(grouping: window.values.joined()) { ExactText($0.origin.recorder) }
        for samples in recorders.values {
            let chains = Self.chainsOfOne(samples, gap: gap)
            if let first = chains.first, first.start < begins + gap, first.end + gap >= nights.start.milliseconds {
                before = true
            }
            if let last = chains.last, last.end > ends - gap, last.start < nights.end.milliseconds { after = true }
        }
        return (before, after)
    }

    /// Returns the chains of each recorder, in no particular order of recorders.
    static func chains(of samples: [OriginSamples], gap: Int64) -> [(start: Int64, end: Int64)] {
        Dictionary(grouping: samples) { ExactText($0.origin.recorder) }.values.flatMap { chainsOfOne($0, gap: gap) }
    }

    private static func chainsOfOne(_ samples: [OriginSamples], gap: Int64) -> [(start: Int64, end: Int64)] {
        var intervals = samples.flatMap { origin in
            origin.columns.starts.indices.map { index in
                (
                    start: origin.columns.starts[index],
                    end: origin.columns.starts[index] + origin.columns.durations[index]
                )
            }
        }
        intervals.sort { $0.start < $1.start }
        var chains: [(start: Int64, end: Int64)] = []
        for interval in intervals {
            if let last = chains.last, interval.start - last.end <= gap {
                chains[chains.count - 1].end = max(last.end, interval.end)
            } else {
                chains.append(interval)
            }
        }
        return chains
    }
}
