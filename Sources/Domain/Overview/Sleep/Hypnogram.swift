/// The stages of a night over time, without overlaps, for a chart.
package struct Hypnogram: Hashable, Sendable {
    /// From the first start to the last end.
    package let interval: InstantRange
    /// The segments from start to end, without overlaps; adjacent ones differ. Time without a stage is in bed. Between the
    /// parts of a night is nothing.
    ///
    /// Where stages overlap, deep counts before REM, REM before core, core before asleep, and asleep before awake, as in
    /// `SleepDurations`: the lengths of the segments of a stage sum to its duration.
    package let segments: [SleepStageInterval]

    /// Creates the hypnogram of `sleep`; `nil` if only sums are known.
    package init?(of sleep: SleepEpisode) {
        guard !sleep.stages.isEmpty, !sleep.interval.isEmpty else { return nil }
        interval = sleep.interval
        segments = sleep.periods.flatMap { Self.segments(sleep.stages, within: $0) }
    }

    /// Returns the longest stage of each of `count` equal parts, of equally long ones the first in the order above; `nil`
    /// for a part between the parts of a night.
    package func slices(_ count: Int) -> [SleepStage?] {
        var next = 0
        return (0..<max(0, count)).map { index in
            let slice = InstantRange(start: boundary(index, of: count), end: boundary(index + 1, of: count))
            while next + 1 < segments.count, segments[next].interval.end <= slice.start { next += 1 }
            var lengths: [SleepStage: Int64] = [:]
            for segment in segments[next...].prefix(while: { $0.interval.start < slice.end }) {
                lengths[segment.stage, default: 0] += segment.interval.intersection(slice)?.milliseconds ?? 0
            }
            let longest = lengths.values.max() ?? 0
            if longest == 0 { return slice.isEmpty && next < segments.count ? segments[next].stage : nil }
            return Self.ranked.first { lengths[$0] == longest }
        }
    }

    private func boundary(_ index: Int, of count: Int) -> Instant {
        let share = Double(index) / Double(count)
        return interval.start.advanced(byMilliseconds: Int64(Double(interval.milliseconds) * share))
    }

    /// The stages by descending rank.
    private static let ranked: [SleepStage] = [.deep, .rem, .core, .asleep, .awake, .inBed]

    private static func segments(_ stages: [SleepStageInterval], within interval: InstantRange) -> [SleepStageInterval]
    {
        var changes: [(at: Instant, stage: SleepStage, change: Int)] = []
        for stage in stages {
            guard let inside = stage.interval.intersection(interval) else { continue }
            changes.append((inside.start, stage.stage, 1))
            changes.append((inside.end, stage.stage, -1))
        }
        changes.sort { $0.at < $1.at }
        var active: [SleepStage: Int] = [:]
        var segments: [SleepStageInterval] = []
        var start = interval.start
        for change in changes + [(interval.end, .inBed, 0)] {
            if change.at > start {
                let stage = ranked.first { active[$0, default: 0] > 0 } ?? .inBed
                let segment = InstantRange(start: start, end: change.at)
                if segments.last?.stage == stage {
                    segments[segments.count - 1].interval.end = segment.end
                } else {
                    segments.append(SleepStageInterval(stage: stage, interval: segment))
                }
                start = change.at
            }
            active[change.stage, default: 0] += change.change
        }
        return segments
    }
}
