package import HealthSyncDomain

/// Asks a server which raw samples it has.
///
/// Contract (`ServerSampleReaderContract`): nothing changes on the server. A deleted sample is in no response. A sample
/// belongs to the interval that contains its start. A server that does not respond is a `SyncFailure` with
/// `.serverUnavailable`, a response that cannot be read is one with `.unverifiable`. A partial response is never
/// returned. Requests may be made in any order and repeated; pages of one range are requested one after the other.
package protocol ServerSampleReader: Sendable {
    /// The largest number of intervals that `digests` accepts at once.
    var intervalsPerRequest: Int { get }
    /// Returns the digests of the samples of `type` in each of `intervals`, all of one length, in their order.
    func digests(of type: SampleType, in intervals: [GridInterval]) async throws -> [HalvedDigest]
    /// Returns samples of `type` that start within `range`, page by page in an order that the server chooses: the first
    /// page for `nil`, else the one at the cursor that a page returned.
    func samples(of type: SampleType, in range: InstantRange, from cursor: String?) async throws -> RawSamplePage
}
