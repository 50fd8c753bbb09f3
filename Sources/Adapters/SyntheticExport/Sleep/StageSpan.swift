import HealthSyncDomain

/// A stretch of one stage, as a device writes it.
struct StageSpan: Sendable, Hashable {
    var stage: SleepStage
    var span: Span
}
