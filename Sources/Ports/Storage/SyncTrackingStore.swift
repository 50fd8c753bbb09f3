package import HealthSyncDomain

/// What was derived, from what, and what is to be sent of it: changed together or not at all.
///
/// Contract (`SyncTrackingStoreContract`): `commit` is one durable transaction; repeating a commit changes nothing;
/// an outbox item whose destination, kind and dedup key are known is left as it is. Reads see whole commits only and are
/// ascending by day. Failures of the store are `SyncFailure` with `.storage`: nothing of the commit is stored then, or the
/// store says that nobody knows, and the same commit may be made again by a later run.
package protocol SyncTrackingStore: Sendable {
    /// The digest of what each tracked day of `metric` was derived from.
    func trackedDigests(of metric: HealthMetric, days: DayRange) async throws -> [CalendarDay: ContentDigest]
    /// Progress stored by the handler of `metric` for `days`, of all metrics it derives, with revisions.
    func progress(derivedBy metric: HealthMetric, days: DayRange) async throws -> [RevisedRecord<DailyProgress>]
    /// Sleep sessions stored for the nights of `days`, with source ids and revisions; without tombstones.
    func sleepSessions(nights days: DayRange) async throws -> [RevisedRecord<SleepSession>]
    /// Stored sleep sessions that have one of `sourceIDs`, of whatever night.
    func sleepSessions(withSourceIDs sourceIDs: [String]) async throws -> [RevisedRecord<SleepSession>]
    /// Activity snapshots stored for `days`, with revisions.
    func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>]
    /// The highest revision that stayed behind under each of `orderingKeys`, so that a record that comes back outranks
    /// its deletion, and a day those of its entries.
    func removedRevisions(of orderingKeys: [String]) async throws -> [String: Int]
    /// Gives everything that stayed behind a revision above its own, `revision` at least, so that every server is told
    /// again.
    func renewRemoved(revision: Int) async throws
    /// Stores all of `commit` in one transaction; forgets the digests of its untracked days, and of what stayed behind
    /// what the commit stores again. Throws `SyncFailure` with `.unexpected` where two sessions have one id.
    func commit(_ commit: SyncCommit) async throws
    /// Gives stored records the revisions of `records`, remembers its deletions and enqueues its items, in one transaction.
    /// A record that is not stored is not changed.
    func resend(_ records: ResentRecords) async throws
    /// Marks `days` (all for `nil`) of `metric` or of all as out of date: forgets from what they were derived, so that the
    /// next run that covers them derives them again; returns the number of days forgotten. To be called by whoever deletes
    /// records or changes a rule that no digest contains.
    func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int
    /// The rules by which `part` is complete; `nil` where that is not known. The store forgets it in the transaction that
    /// changes what it follows from: a page (every part), what a day was derived from (the metric, the activity snapshots,
    /// every server), the ledger (the server).
    func completeRules(of part: CompletePart) async throws -> ContentDigest?
    /// Remembers that `parts` are complete, each by its rules. Only for the one run that changes the database, when it has
    /// compared all of a part and stored what differed.
    func setComplete(_ parts: [CompletePart: ContentDigest]) async throws
    /// By which zones the stored days were counted; `nil` while nobody said so.
    func countedDays() async throws -> CountedDays?
    /// Remembers it, in place of what was remembered.
    func setCountedDays(_ counted: CountedDays) async throws
    /// The digest of the rules of each zone that stored days follow from, by IANA name.
    func zoneRules() async throws -> [String: ContentDigest]
    /// Stores `rules`; those of other zones stay.
    func setZoneRules(_ rules: [String: ContentDigest]) async throws
    /// What sources state of the user's clocks, by provider.
    func zoneEvidence() async throws -> [ZoneEvidence]
    /// Stores it, in place of what was stored of the same provider.
    func setZoneEvidence(_ evidence: ZoneEvidence) async throws
}
