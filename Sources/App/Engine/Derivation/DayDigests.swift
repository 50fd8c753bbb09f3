import HealthSyncDomain
import HealthSyncPorts

/// Digests of all inputs of a handler's result for a day: the pages it reads, the zone rules, the order of origins and the
/// handler's version. If a digest is unchanged, the day needs no derivation.
struct DayDigests: Sendable {
    let metric: HealthMetric
    let version: Int
    let clock: DayClock
    let priority: OriginPriority
    let reach: SampleReach
    let hasher: any ContentHasher

    /// Returns the digest of each day with samples in reach.
    func digests(
        of days: DayRange, pages: [CalendarDay: [ContentDigest]], margin: WindowLoader.Margin
    ) -> [CalendarDay: ContentDigest] {
        let rules = Array(
            "\(Self.rules)\u{1F}\(metric)\u{1F}\(version)\u{1F}\(reach)\u{1F}\(priority.preferredNames.joined(separator: "\u{1F}"))"
                .utf8)
        var result: [CalendarDay: ContentDigest] = [:]
        for day in days {
            let inReach = DayRange(day).widened(before: margin.before, after: margin.after)
            var bytes = rules
            var isEmpty = true
            for utcDay in inReach {
                for digest in (pages[utcDay] ?? []).sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
                    isEmpty = false
                    bytes.append(contentsOf: digest.bytes)
                }
            }
            guard !isEmpty else { continue }
            bytes.append(contentsOf: zoneBytes(of: day))
            result[day] = hasher.digest(bytes)
        }
        return result
    }

    /// Raise this when the same pages must give handlers other samples. Since 2, a measurement in several inputs is one
    /// sample.
    static let rules = 2

    private func zoneBytes(of day: CalendarDay) -> [UInt8] {
        let before = clock.start(of: day.advanced(by: -1)).milliseconds
        let interval = clock.interval(of: day)
        return Array("\(before) \(interval.start.milliseconds) \(interval.end.milliseconds)".utf8)
    }
}
