package import HealthSyncDomain

/// The derived records, the digests of their inputs and the items to be sent, changed in one transaction.
///
/// Contract (`SyncTrackingStoreContract`): `commit` is one durable transaction; repeating a commit changes nothing;
/// an outbox item with a known destination, kind and dedup key is left unchanged. Reads see only complete commits and
/// are ascending by day. Failures of the store are `SyncFailure` with `.storage`: either nothing of the commit was
/// stored, or the error states that the result is unknown; a later run may repeat the same commit.
package protocol SyncTrackingStore: Sendable {
    /// Returns the input digests of the tracked days of `metric`.
    func trackedDigests(of metric: HealthMetric, days: DayRange) async throws -> [CalendarDay: ContentDigest]
    /// Returns the progress of `days` derived by the handler of `metric`, of all metrics it derives, with revisions.
    func progress(derivedBy metric: HealthMetric, days: DayRange) async throws -> [RevisedRecord<DailyProgress>]
    /// Returns the sleep sessions of `days`, with source ids and revisions; without tombstones.
    func sleepSessions(days: DayRange) async throws -> [RevisedRecord<SleepSession>]
    /// Returns the sleep sessions with any of `sourceIDs`, of any day.
    func sleepSessions(withSourceIDs sourceIDs: [String]) async throws -> [RevisedRecord<SleepSession>]
    /// Returns the activity snapshots of `days`, with revisions.
    func snapshots(days: DayRange) async throws -> [RevisedRecord<ActivitySnapshot>]
    /// Returns the revision of every stored record. Much faster than the records; equal revisions of a record have equal
    /// contents, unless it was deleted in between.
    func recordRevisions() async throws -> [RecordKey: Int]
    /// Returns the highest tombstone revision for each of `orderingKeys`, so that a record that exists again
    /// supersedes its deletion, and a day those of its entries.
    func tombstoneRevisions(of orderingKeys: [String]) async throws -> [String: Int]
    /// Raises the revisions of all tombstones, to at least `revision`, so that they are sent to every server again.
    func renewTombstones(revision: Int) async throws
    /// Stores all of `commit` in one transaction; deletes the digests of its untracked days, and the tombstones of
    /// records that it stores again. Throws `SyncFailure` with `.unexpected` if two sessions have the same id.
    func commit(_ commit: SyncCommit) async throws
    /// Updates the revisions of stored records, stores tombstones and enqueues items, in one transaction. Records
    /// that are not stored are ignored.
    func resend(_ records: ResentRecords) async throws
    /// Marks `days` (all for `nil`) of `metric` (all for `nil`) as out of date by deleting their input digests, so
    /// that the next run that covers them derives them again. Returns the number of days. Call this after deleting
    /// records, or after changing a rule that no digest includes.
    func resetTracking(of metric: HealthMetric?, days: DayRange?) async throws -> Int
    /// Returns the digest of the rules by which `part` is complete; `nil` if unknown. The store deletes it in the
    /// transaction that changes an input of the part: a page (every part), the input digest of a day (its metric, the
    /// activity snapshots, every server), or the ledger (the server).
    func completeRules(of part: CompletePart) async throws -> ContentDigest?
    /// Marks `parts` as complete, each by its rules. Only the run that may change the database calls this, after it
    /// compared the whole part and stored all differences.
    func setComplete(_ parts: [CompletePart: ContentDigest]) async throws
    /// Returns the zones of the stored days; `nil` if unknown.
    func storedDayZones() async throws -> StoredDayZones?
    /// Replaces the zones of the stored days.
    func setStoredDayZones(_ counted: StoredDayZones) async throws
    /// Returns the digest of the rules of each zone that stored days depend on, by IANA name.
    func zoneRules() async throws -> [String: ContentDigest]
    /// Stores `rules`; those of other zones are kept.
    func setZoneRules(_ rules: [String: ContentDigest]) async throws
    /// Returns the UTC offsets that sources state, by provider.
    func zoneEvidence() async throws -> [ZoneEvidence]
    /// Replaces the stored offsets of the same provider.
    func setZoneEvidence(_ evidence: ZoneEvidence) async throws
    /// Returns whether `notice` is still to be shown.
    func hasNotice(_ notice: Notice) async throws -> Bool
    /// Stores that `notice` was shown.
    func removeNotice(_ notice: Notice) async throws
    /// Returns what the rules of a version changed in stored figures, as the run that derived all days found it; `nil` for
    /// nothing.
    func historyChange() async throws -> HistoryChange?
    /// Compares the figures that another version stored with the current ones, once, and stores and returns what changed;
    /// `nil` for nothing. Called when all days are derived.
    func concludeHistoryChange(at now: Instant) async throws -> HistoryChange?
}

/// Identifies a stored record.
package struct RecordKey: Hashable, Sendable {
    /// The metric, `.sleep` for a session; `nil` for an activity snapshot.
    package var metric: HealthMetric?
    /// For a session, the day to which its night belongs.
    package var day: CalendarDay
    /// The id of a session; empty for other records, of which a day has one.
    package var session: String

    package init(metric: HealthMetric?, day: CalendarDay, session: String = "") {
        (self.metric, self.day, self.session) = (metric, day, session)
    }
}

/// A part of the store that stays complete until its inputs change, so that a run can skip it.
package enum CompletePart: Hashable, Sendable {
    /// Every day of a metric was derived from the current pages.
    case metric(HealthMetric)
    /// Every stored record was offered to the server with that address.
    case server(String)

    /// The name under which a store keeps the part.
    package var name: String {
        switch self {
        case .metric(let metric): "metric/\(metric.rawValue)"
        case .server(let address): "server/\(address)"
        }
    }
}
