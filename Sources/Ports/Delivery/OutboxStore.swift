package import HealthSyncDomain

/// What waits to be sent, what is on its way, what was refused.
///
/// Contract (`OutboxStoreContract`):
/// - Every change is one durable transaction. Of two callers that claim at the same time each item goes to one.
/// - Items go `claimItems`, `freeze`, then one of `settle`, `split` and `giveBack`; a batch from `claimBatch` is frozen
///   already. What is abandoned on the way can be claimed again when its lease has run out.
/// - A change under a lease that ran out and was taken over, or whose batch is settled, changes nothing and says so by
///   `nil` or `false`: whoever took over has it in hand. A lease that ran out and was not taken over still holds.
/// - Failures of the store are `SyncFailure` with `.storage`: nothing was changed, or the store says that nobody knows
///   and refuses every later change.
package protocol OutboxStore: Sendable {
    /// Items by state; delivered ones from the ledger.
    func counts(destination: String?) async throws -> [DeliveryState: Int]
    /// Items in `state`, oldest first; for `nil` all that were not delivered. What was delivered comes from the ledger,
    /// without payload.
    func items(in state: DeliveryState?, destination: String?, limit: Int) async throws -> [OutboxItem]
    /// One item.
    func item(id: Int64) async throws -> OutboxItem?

    /// Leases the oldest batch frozen earlier whose lease ran out or that was given back or split off, and whose time has
    /// come; `nil` when there is none. To be asked before `claimItems`: such batches go first, with the same bytes.
    func claimBatch(
        destination: String, owner: String, now: Instant, leaseUntil: Instant
    ) async throws -> BatchLease?
    /// Leases pending items of one kind that come to at most `limit` records (an item that stands for samples counts them,
    /// any other counts one), at least one item (tombstones apart from stores), oldest first, at most one per
    /// ordering key and none whose key has an earlier item under way.
    func claimItems(
        destination: String, kinds: [RecordKind], limit: Int, byteLimit: Int, owner: String, now: Instant,
        leaseUntil: Instant
    ) async throws -> (items: [OutboxItem], fence: Int64)
    /// Freezes `batch` from items claimed under `fence`: commits its bytes before they leave. `nil` when it has no items
    /// or one of them is no longer held under `fence`: nothing was frozen, and nothing may be sent.
    func freeze(_ batch: OutboxBatch, owner: String, fence: Int64, leaseUntil: Instant) async throws -> BatchLease?
    /// Replaces a frozen batch by its parts in one transaction, free to be claimed at once; items that are in no part wait
    /// anew. `false` when the lease is lost.
    func split(_ lease: BatchLease, into parts: [OutboxBatch]) async throws -> Bool
    /// Settles each item of the batch and dissolves it: delivered → ledger, rejected → dead letter, retry → pending.
    /// `verdicts` are in the order of the batch's items; an item without one waits anew. `false` when the lease is lost.
    func settle(_ lease: BatchLease, verdicts: [ItemVerdict], status: Int?, now: Instant) async throws -> Bool
    /// Gives the batch back to be sent again with the same bytes, not before `notBefore`. `false` when the lease is lost.
    func giveBack(
        _ lease: BatchLease, reason: String, status: Int?, notBefore: Instant, now: Instant
    ) async throws -> Bool

    /// What waits or is under way, by kind.
    func waiting(destination: String) async throws -> [RecordKind: WaitingItems]

    /// The earliest instant at which a batch or an item that is leased or put off can be claimed; `nil` when none is.
    func nextAttempt(destination: String) async throws -> Instant?

    /// Ends every lease of the destination at `now`. Only for the one run that holds the data folder's lock: it knows
    /// that whoever leased before has died, and need not wait for the leases to run out.
    func expireLeases(destination: String, now: Instant) async throws

    /// Every destination of which anything is known: offered, delivered, waiting or remembered; ascending.
    func destinations() async throws -> [String]
    /// What is remembered of the destination.
    func destinationState(_ destination: String) async throws -> DestinationState
    /// Remembers it.
    func setDestinationState(_ state: DestinationState, of destination: String) async throws

    /// Makes dead letters pending again: those with `ids`, or all; returns how many.
    func retry(ids: [Int64]?) async throws -> Int
    /// Removes dead letters for good: those with `ids`, or all; returns how many.
    func drop(ids: [Int64]?) async throws -> Int

    /// Stored records of `days` that were never enqueued for `destination`; all of them for `nil`. A sleep session is of its
    /// night and of its day.
    func missingRecords(destination: String?, days: DayRange) async throws -> MissingRecords
    /// What stayed behind of derived records and entries and was never enqueued for `destination`, in order of revision;
    /// all of it for `nil`.
    func missingDeletions(destination: String?) async throws -> [RemovedRecord]
    /// Puts items into the outbox; those whose key is known are left as they are. Returns how many were new.
    func enqueue(_ items: [NewOutboxItem]) async throws -> Int
    /// Forgets what was delivered of `days`, so that it is sent again under the same ids.
    func forgetDelivered(destination: String, days: DayRange) async throws
}

/// What waits of one kind.
package struct WaitingItems: Sendable, Hashable {
    package var items: Int
    /// Samples for which the items stand; 0 for records.
    package var samples: Int

    package init(items: Int, samples: Int) {
        self.items = items
        self.samples = samples
    }
}

/// Stored records that a destination was never offered.
package struct MissingRecords: Sendable {
    package var progress: [RevisedRecord<DailyProgress>] = []
    package var sleep: [RevisedRecord<SleepSession>] = []
    package var snapshots: [RevisedRecord<ActivitySnapshot>] = []

    package init() {}
}
