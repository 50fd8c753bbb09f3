package import HealthSyncDomain

/// The time for which a feed or change stream has sent samples of a type and source. An export may contain more samples
/// in it: those that the app never sent.
package struct FeedWindow: Sendable, Hashable {
    package var provider: String
    package var type: SampleType
    /// The name of the source as `UnsentSamples.comparedName` spells it; `nil` for sums over all sources.
    package var sourceName: String?
    /// The start of the first sample.
    package var first: Instant
    /// The end of the last sample.
    package var last: Instant

    package init(provider: String, type: SampleType, sourceName: String?, first: Instant, last: Instant) {
        self.provider = provider
        self.type = type
        self.sourceName = sourceName
        self.first = first
        self.last = last
    }
}
