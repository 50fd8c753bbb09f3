import HealthSyncDomain

/// An interval of one stage, as a device records it.
struct StageSpan: Sendable, Hashable {
    var stage: SleepStage
    var span: Span
}
