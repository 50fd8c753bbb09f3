package import HealthSyncDomain

/// The queue of records to deliver: waiting, in flight and rejected.
///
/// Contract (`OutboxStoreContract`):
/// - Every change is one durable transaction. If two callers claim at the same time, each item goes to one of them.
/// - Items go through `claimItems`, `freeze`, then one of `settle`, `split` and `giveBack`; a batch from `claimBatch`
///   is already frozen. Abandoned items and batches can be claimed again once their lease has expired.
/// - A change under a lease that expired and was taken over, or whose batch is settled, changes nothing and returns
///   `nil` or `false`. A lease that expired and was not taken over remains valid.
/// - Failures of the store are `SyncFailure` with `.storage`: nothing was changed, or the outcome is unknown and the
///   store rejects every later change.
package protocol OutboxStore: Sendable {
    /// Returns the number of items by state; delivered ones from the ledger.
    func counts(destination: String?) async throws -> [DeliveryState: Int]
    /// Returns the items in `state`, oldest first; for `nil` all that were not delivered. Delivered items come from the
    /// ledger, without payload.
    func items(in state: DeliveryState?, destination: String?, limit: Int) async throws -> [OutboxItem]
    /// Returns the item with `id`; `nil` if it does not exist.
    func item(id: Int64) async throws -> OutboxItem?

    /// Leases the oldest batch that was frozen earlier and is due: its lease expired, or it was given back or split
    /// off; `nil` if none exists. Call it before `claimItems`: such batches go first, with the same bytes.
    func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) async throws -> BatchLease?
    /// Leases pending items of one kind with at most `limit` records in total (an item of raw samples counts each of
    /// them, any other counts one), but at least one item, oldest first. Tombstones are not mixed with records. At
    /// most one item per ordering key is leased, and none whose key has an earlier item in flight.
    func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, owner: String, now: Instant,
        leaseUntil: Instant
    ) async throws -> (items: [OutboxItem], fence: Int64)
    /// Freezes `batch` from items claimed under `fence`: commits its bytes before they are sent. `nil` if it has no
    /// items or one of them is no longer held under `fence`: nothing was frozen, and nothing may be sent.
    func freeze(_ batch: OutboxBatch, owner: String, fence: Int64, leaseUntil: Instant) async throws -> BatchLease?
    /// Replaces a frozen batch by its parts in one transaction; they can be claimed at once. Items in no part become
    /// pending again. `false` if the lease is lost.
    func split(_ lease: BatchLease, into parts: [OutboxBatch]) async throws -> Bool
    /// Settles each item of the batch and dissolves it: delivered → ledger, rejected → dead letter, retry → pending.
    /// `verdicts` are in the order of the batch's items; an item without one becomes pending. `false` if the lease is
    /// lost.
    func settle(_ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant) async throws -> Bool
    /// Gives the batch back, to be sent again with the same bytes, not before `notBefore`. `false` if the lease is
    /// lost.
    func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant
    ) async throws -> Bool

    /// Returns what is waiting or in flight, by kind.
    func waiting(destination: String) async throws -> [RecordKind: WaitingItems]

    /// Returns the earliest instant at which a leased or postponed batch or item can be claimed; `nil` if there is
    /// none.
    func nextAttempt(destination: String) async throws -> Instant?

    /// Ends every lease of the destination at `now`. Only for the run that holds the data folder's lock: every earlier
    /// holder of a lease has ended, so there is no need to wait until the leases expire.
    func expireLeases(destination: String, now: Instant) async throws

    /// Returns every known destination, ascending: one with items, delivered records or a stored state.
    func destinations() async throws -> [String]
    /// Returns the stored state of the destination.
    func destinationState(_ destination: String) async throws -> DestinationState
    /// Stores the state of the destination.
    func setDestinationState(_ state: DestinationState, of destination: String) async throws

    /// Makes dead letters pending again: those with `ids`, or all; returns how many.
    func retry(ids: [Int64]?) async throws -> Int
    /// Deletes dead letters permanently: those with `ids`, or all; returns how many.
    func drop(ids: [Int64]?) async throws -> Int

    /// Deletes everything about `destination`: its items and batches in any state, what it has, its state and verification. It is
    /// then unknown, and a later delivery offers it everything. Returns how many items had not been delivered.
    func forget(destination: String) async throws -> Int

    /// Returns what is offered to `destination` of the days before an upgrade; `nil` for everything.
    func formerDelivery(of destination: String) async throws -> FormerDelivery?
    /// Offers `metrics` to `destination` on all days, in addition to those of its former delivery.
    func offer(_ metrics: Set<HealthMetric>, to destination: String) async throws
    /// Offers everything to `destination` on all days. In the same transaction, it no longer counts as complete.
    func endFormerDelivery(of destination: String) async throws
    /// Returns the stored records that the former delivery of `destination` omits; `nil` if none exist.
    func omittedRecords(destination: String) async throws -> OmittedRecords?

    /// Returns the stored records of `days` that were never enqueued for `destination`, without those that its former
    /// delivery omits; all of them for `nil`. A sleep session belongs to its night and to its day.
    func missingRecords(destination: String?, days: DayRange) async throws -> MissingRecords
    /// Returns the tombstones of derived records and entries that were never enqueued for `destination`, in order of
    /// revision; all of them for `nil`.
    func missingDeletions(destination: String?) async throws -> [Tombstone]
    /// Adds items to the outbox; those whose key is known are left as they are. Returns how many were new.
    func enqueue(_ items: [NewOutboxItem]) async throws -> Int
    /// Deletes the ledger entries of `days`, so that their records are sent again under the same ids.
    func forgetDelivered(destination: String, days: DayRange) async throws
}

/// The waiting items of one kind.
package struct WaitingItems: Sendable, Hashable {
    package var items: Int
    /// The number of raw samples in the items; 0 for records.
    package var samples: Int

    package init(items: Int, samples: Int) {
        self.items = items
        self.samples = samples
    }
}

/// The items that wait for a destination or are in flight: records with their deletions, and intervals of raw samples.
package struct WaitingCount: Sendable, Hashable {
    package var records = 0
    /// Intervals of raw samples.
    package var intervals = 0

    package init() {}

    package init(_ waiting: [RecordKind: WaitingItems]) {
        for (kind, items) in waiting {
            if kind.isOfSamples { intervals += items.items } else { records += items.items }
        }
    }

    /// The number of items.
    package var items: Int { records + intervals }

    package static func += (left: inout WaitingCount, right: WaitingCount) {
        left.records += right.records
        left.intervals += right.intervals
    }

    /// Such as `12 records and 3 intervals of samples`.
    package func text(number: (Int) -> String) -> String {
        var parts: [String] = []
        if records > 0 || intervals == 0 { parts.append(CountText.of(records, "record", number: number)) }
        if intervals > 0 { parts.append(CountText.of(intervals, "interval", number: number) + " of samples") }
        return parts.joined(separator: " and ")
    }
}

/// Stored records that were never enqueued for a destination.
package struct MissingRecords: Sendable {
    package var progress: [RevisedRecord<DailyProgress>] = []
    package var sleep: [RevisedRecord<SleepSession>] = []
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []

    package init() {}
}
