package import HealthSyncDomain

/// The intervals in which raw samples are sent, their delivery state at each server, and the changes of pages since
/// they were divided.
///
/// Contract (`SyncIntervalStoreContract`): every change is one durable transaction. After the first commit of a type,
/// the first change of a page of that type also stores the previous contents of the page, in the same transaction.
/// When a slice is settled, its interval becomes synced in the same transaction if nothing else of the interval is
/// queued. Failures of the store are `SyncFailure` with `.storage`.
package protocol SyncIntervalStore: Sendable {
    /// Returns the types that have intervals.
    func layeredTypes() async throws -> [SampleType: LayeredType]
    /// Returns the number of intervals of `type`.
    func intervalCount(of type: SampleType) async throws -> Int
    /// Returns the intervals of `type`, ascending.
    func intervals(of type: SampleType) async throws -> [SyncInterval]
    /// Returns the intervals with their delivery state at `destination`; without a destination all are `local`.
    func statuses(of type: SampleType, destination: String?) async throws -> [IntervalStatus]
    /// Returns the intervals of `type` that overlap `range` and were never offered to `destination`, ascending.
    func unoffered(of type: SampleType, destination: String, in range: InstantRange) async throws -> [SyncInterval]
    /// Returns for each server the starts of the intervals of `type` it was offered, and whether they are synced.
    func deliveries(of type: SampleType) async throws -> [String: [Instant: Bool]]
    /// Returns the pages of `type` that changed since the last commit that settled changes, ascending by day.
    func changedPages(of type: SampleType) async throws -> [ChangedPage]
    /// Returns the revisions of samples of `type` that changed or were deleted.
    func revisions(of type: SampleType) async throws -> [SampleID: SampleRevision]
    /// Stores all of `commit`, whose type has or had pages; returns the number of new outbox items.
    func commit(_ commit: LayeringCommit) async throws -> Int
    /// Marks the intervals of `type` that overlap `range` as never offered to `destination`, and removes their queued
    /// items.
    func forgetDelivered(of type: SampleType, destination: String, in range: InstantRange) async throws
    /// Deletes every interval of every type, with all items that are queued, in flight or rejected. Revisions of
    /// deleted samples and their tombstones remain. Returns the number of intervals deleted.
    func clear() async throws -> Int
}

/// The layering of a type.
package struct LayeredType: Sendable, Hashable {
    package var rule: LayeringRule
    /// The number of commits; part of the keys of the items that the next one enqueues.
    package var generation: Int

    package init(rule: LayeringRule, generation: Int) {
        self.rule = rule
        self.generation = generation
    }
}

/// A page that changed since the intervals were divided.
package struct ChangedPage: Sendable, Hashable {
    package var key: SamplePageKey
    /// The input of the page.
    package var provider: String
    /// The contents of the page at that time, encoded by `SamplePageCodec`; `nil` if it did not exist.
    package var before: [UInt8]?
    /// The current contents; `nil` if it does not exist.
    package var after: [UInt8]?
    /// Whether servers have the previous contents as schemas before 14 delivered them: every sample of every input,
    /// under former ids.
    package var isFormer: Bool

    package init(
        key: SamplePageKey, provider: String, before: [UInt8]?, after: [UInt8]?, isFormer: Bool = false
    ) {
        self.isFormer = isFormer
        self.provider = provider
        self.key = key
        self.before = before
        self.after = after
    }
}
