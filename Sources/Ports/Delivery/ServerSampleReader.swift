package import HealthSyncDomain

/// Asks a server which raw samples it has.
///
/// Contract (`ServerSampleReaderContract`): nothing is changed on the server. A deleted sample is in no answer. A sample
/// belongs to the interval that holds its start. What keeps the server from answering is a `SyncFailure` with
/// `.serverUnavailable`, an answer that cannot be read one with `.unverifiable`; half an answer is never returned.
/// Questions may be asked in any order and repeated; pages of one range are asked one after the other.
package protocol ServerSampleReader: Sendable {
    /// The most intervals that `digests` takes at once.
    var intervalsPerRequest: Int { get }
    /// The digests of the samples of `type` in each of `intervals`, all of one length, in their order.
    func digests(of type: SampleType, in intervals: [GridInterval]) async throws -> [HalvedDigest]
    /// Samples of `type` that start within `range`, page by page in an order of the server's own: from the beginning for
    /// `nil`, else from where a page said that it goes on.
    func samples(of type: SampleType, in range: InstantRange, from cursor: String?) async throws -> RawSamplePage
}
