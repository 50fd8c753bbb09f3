import HealthSyncDomain

/// Chains of samples, of whichever recorders, with gaps of at most `gap`: only samples of the chains that touch a day can
/// change its nights.
struct NightChains {
    /// The UTC days before and after a day that its digest contains, besides the length of the longest sample.
    static let daysBefore = 2
    static let daysAfter = 2

    /// Milliseconds.
    private let gap: Int64
    /// The days that the longest sample may last.
    private let longestDays: Int

    init(gapMinutes: Int, longestDays: Int) {
        gap = Int64(gapMinutes) * 60_000
        self.longestDays = longestDays
    }

    private struct Chain {
        var start: Int64
        var end: Int64
    }

    /// Returns whether samples before or after the days `read`, which were not loaded, may change the nights of `days`.
    func open(in samples: [OriginSamples], read: DayRange, days: DayRange) -> (before: Bool, after: Bool) {
        let touched = touched(days)
        let begins = read.first.advanced(by: longestDays).utcStart.milliseconds
        let ends = read.last.advanced(by: 1).utcStart.milliseconds
        var open = (before: false, after: false)
        for chain in chains(of: samples) where touches(chain, touched) {
            if chain.start < begins + gap { open.before = true }
            if chain.end > ends - gap { open.after = true }
        }
        return open
    }

    /// Returns those of `days` that a chain touches which reaches beyond the days of their digest.
    func beyondDigests(_ samples: [OriginSamples], among days: DayRange) -> [CalendarDay] {
        // Shorter chains end within the days of the digest wherever they touch the day.
        let long = chains(of: samples).filter { $0.end - $0.start > Self.shortChain - 2 * gap }
        guard !long.isEmpty else { return [] }
        return days.filter { day in
            let touched = touched(DayRange(day))
            let begins = day.advanced(by: -Self.daysBefore).utcStart.milliseconds + gap
            let ends = day.advanced(by: Self.daysAfter + 1).utcStart.milliseconds - gap
            return long.contains { touches($0, touched) && ($0.start < begins || $0.end > ends) }
        }
    }

    /// The times of the days in any zone: from noon of the day before to the end of the day.
    private func touched(_ days: DayRange) -> (start: Int64, end: Int64) {
        let noon = days.first.advanced(by: -1).utcStart.milliseconds + 12 * 3_600_000
        return (noon - Self.farthestZone, days.last.advanced(by: 1).utcStart.milliseconds + Self.farthestZone)
    }

    private func touches(_ chain: Chain, _ touched: (start: Int64, end: Int64)) -> Bool {
        chain.start < touched.end + gap && chain.end > touched.start - gap
    }

    private func chains(of samples: [OriginSamples]) -> [Chain] {
        var intervals = samples.flatMap { origin in
            origin.columns.starts.indices.map { index in
                Chain(
                    start: origin.columns.starts[index],
                    end: origin.columns.starts[index] + origin.columns.durations[index])
            }
        }
        intervals.sort { $0.start < $1.start }
        var chains: [Chain] = []
        for interval in intervals {
            if let last = chains.last, interval.start - last.end <= gap {
                chains[chains.count - 1].end = max(last.end, interval.end)
            } else {
                chains.append(interval)
            }
        }
        return chains
    }

    /// The longest time, in milliseconds, by which a zone's day begins before or after the UTC day.
    private static let farthestZone: Int64 = 16 * 3_600_000
    /// The times of a day are at least this far from the ends of its digest, in milliseconds.
    private static let shortChain: Int64 = 20 * 3_600_000
}
