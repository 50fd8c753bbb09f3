import HealthSyncDomain

/// The records of one device from going to bed to getting up. Stages do not overlap, except that unspecified sleep may
/// overlap core sleep.
struct SleepStretch: Sendable, Hashable {
    /// The stages by start.
    var stages: [StageSpan]

    /// From the first start to the last end.
    var span: Span {
        stages.dropFirst().reduce(stages.first?.span ?? Span(start: 0, end: 0)) { whole, next in
            Span(start: min(whole.start, next.span.start), end: max(whole.end, next.span.end))
        }
    }

    /// Returns the seconds of `stage`; for unspecified sleep only those without another stage.
    func seconds(of stage: SleepStage) -> Int64 {
        let all = stages.filter { $0.stage == stage }.reduce(0) { $0 + $1.span.seconds }
        return stage == .asleep ? all - secondsOfSleepUnderStages : all
    }

    var secondsAsleep: Int64 {
        [SleepStage.core, .deep, .rem, .asleep].reduce(0) { $0 + seconds(of: $1) }
    }

    private var secondsOfSleepUnderStages: Int64 {
        stages.filter { $0.stage == .asleep }.reduce(0) { sum, unstaged in
            sum
                + stages.filter { $0.stage != .asleep && $0.stage.isSleep }
                .reduce(0) { $0 + $1.span.common(with: unstaged.span) }
        }
    }
}
