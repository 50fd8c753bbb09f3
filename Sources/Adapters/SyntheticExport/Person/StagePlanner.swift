import HealthSyncDomain

/// Divides sleep into stages, in steps of half a minute like a watch.
struct StagePlanner {
    /// Before this year the watch did not distinguish stages.
    static let firstYearWithStages = 2020

    let isStaged: Bool

    init(year: Int) { isStaged = year >= Self.firstYearWithStages }

    func stretch(_ span: Span, _ stream: inout SeededStream) -> SleepStretch {
        SleepStretch(stages: isStaged ? staged(span, &stream) : unstaged(span, &stream))
    }

    /// Returns cycles of about an hour and a half: deep sleep early, REM sleep late, short awakenings between.
    private func staged(_ span: Span, _ stream: inout SeededStream) -> [StageSpan] {
        var stages: [StageSpan] = []
        var time = span.start
        var cycle: Int64 = 0
        let add = { (stage: SleepStage, halfMinutes: Int64) in
            let end = min(time + halfMinutes * 30, span.end)
            guard end > time else { return }
            stages.append(StageSpan(stage: stage, span: Span(start: time, end: end)))
            time = end
        }
        while time < span.end {
            add(.core, stream.whole(24, 70))
            add(.deep, max(6, stream.whole(20, 76) - cycle * 16))
            add(.core, stream.whole(20, 56))
            add(.rem, min(80, stream.whole(10, 30) + cycle * 12))
            // The last stage is never an awakening, because getting up ends the stretch.
            if stream.chance(0.6), span.end - time > 1800 { add(.awake, stream.whole(1, 16)) }
            cycle += 1
        }
        return stages
    }

    /// Returns sleep in a few pieces; the watch wrote nothing for the awakenings between.
    private func unstaged(_ span: Span, _ stream: inout SeededStream) -> [StageSpan] {
        var stages: [StageSpan] = []
        var time = span.start
        while time < span.end {
            var end = min(time + stream.whole(120, 420) * 30, span.end)
            if span.end - end < 1800 { end = span.end }
            stages.append(StageSpan(stage: .asleep, span: Span(start: time, end: end)))
            time = end + stream.whole(4, 40) * 30
        }
        return stages
    }
}
