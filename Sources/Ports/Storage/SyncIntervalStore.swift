package import HealthSyncDomain

/// The intervals by which raw samples travel, what of them servers have, and what changed in the pages since they were
/// divided.
///
/// Contract (`SyncIntervalStoreContract`): every change is one durable transaction. From the first commit of a type on, the
/// first change of a page of that type notes, in the transaction that makes it, what the page held before. A slice that
/// is settled makes its interval synced in the transaction that settles it, where nothing else of the interval is left.
/// Failures of the store are `SyncFailure` with `.storage`.
package protocol SyncIntervalStore: Sendable {
    /// The types that have intervals.
    func layeredTypes() async throws -> [SampleType: LayeredType]
    /// Number of intervals of `type`.
    func intervalCount(of type: SampleType) async throws -> Int
    /// The intervals of `type`, ascending.
    func intervals(of type: SampleType) async throws -> [SyncInterval]
    /// The same, each with its way to `destination`; without one all are `local`.
    func statuses(of type: SampleType, destination: String?) async throws -> [IntervalStatus]
    /// The intervals of `type` that `destination` was never offered and that meet `range`, ascending.
    func unoffered(of type: SampleType, destination: String, in range: InstantRange) async throws -> [SyncInterval]
    /// Servers that were offered intervals of `type`, each with their starts and whether they are synced.
    func deliveries(of type: SampleType) async throws -> [String: [Instant: Bool]]
    /// Pages of `type` that changed since the last commit that settled changes, ascending by day.
    func changedPages(of type: SampleType) async throws -> [ChangedPage]
    /// What is remembered of samples of `type` that changed or were deleted.
    func revisions(of type: SampleType) async throws -> [SampleID: SampleRevision]
    /// Stores all of `commit`, whose type has or had pages; returns how many of its outbox items were new.
    func commit(_ commit: LayeringCommit) async throws -> Int
    /// Forgets that `destination` was offered the intervals of `type` that meet `range`, and what of them waits.
    func forgetDelivered(of type: SampleType, destination: String, in range: InstantRange) async throws
    /// Forgets every interval of every type, and what of them waits, is under way or was refused. What is remembered of
    /// deleted samples and their deletions stay. Returns how many intervals there were.
    func clear() async throws -> Int
}

/// How a type was divided.
package struct LayeredType: Sendable, Hashable {
    package var rule: LayeringRule
    /// How many commits there were: names what is enqueued by the next one.
    package var generation: Int

    package init(rule: LayeringRule, generation: Int) {
        self.rule = rule
        self.generation = generation
    }
}

/// A page that changed since the intervals were divided.
package struct ChangedPage: Sendable, Hashable {
    package var key: SamplePageKey
    /// The input of which the page is.
    package var provider: String
    /// What the page held then, by `SamplePageCodec`; `nil` when there was none.
    package var before: [UInt8]?
    /// What it holds now; `nil` when there is none.
    package var after: [UInt8]?
    /// Whether servers know what it held as schemas before 14 delivered it: every sample of every input, under former ids.
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
