/// What happened to one item of a delivered batch.
public enum ItemVerdict: Sendable, Hashable {
    /// The destination has it: created, updated, or already there.
    case delivered
    /// The destination has it, under this id of its own, which is kept with the item.
    case stored(as: String)
    /// The destination rejects it permanently. The item becomes a dead letter with this reason.
    case rejected(reason: String)
    /// The item is sent again, in another batch.
    case retry
    /// What happened to each sample of an item of raw samples.
    case samples(SampleVerdicts)
}

/// The outcome of sending one batch. Which one to return is in docs/adding-a-sender.md.
///
/// `status` is the destination's own status code, such as an HTTP status. It is stored with the items and shown to the
/// user; `nil` if the destination has none.
public enum BatchVerdict: Sendable, Hashable {
    /// A verdict for each item, in the order of the batch's items.
    case items([ItemVerdict], status: Int? = nil)
    /// It is unknown whether the destination stored the batch. The same batch is sent again.
    case unknown(reason: String)
    /// The destination is not available. The same batch is sent again, not before `retryAfter`.
    case retryBatch(reason: String, status: Int? = nil, retryAfter: Instant? = nil)
    /// The destination is still processing the same key. Only this batch waits.
    case inProgress(reason: String, status: Int? = nil, retryAfter: Instant? = nil)
    /// The destination failed, possibly because of this batch. The same batch is sent again; if it fails repeatedly
    /// while others succeed, it is halved until the item at fault is found.
    case failed(reason: String, status: Int? = nil, retryAfter: Instant? = nil)
    /// The destination rejects the batch without naming an item. The batch is halved until the item at fault is found.
    case bisect(reason: String, status: Int? = nil)
    /// The batch is too large. It is halved, and the limit is stored with the destination.
    case tooLarge(status: Int? = nil)
    /// The destination accepts nothing until the user acts. Everything is kept.
    case pause(reason: String, status: Int? = nil)
    /// The destination no longer exists. Everything is kept.
    case disable(reason: String, status: Int? = nil)
}

extension BatchVerdict {
    /// Returns the verdict of a destination that stored the whole batch.
    public static func delivered(_ batch: OutboxBatch, status: Int? = nil) -> BatchVerdict {
        guard !batch.sampleIDs.isEmpty else { return .items(batch.recordIDs.map { _ in .delivered }, status: status) }
        return .items(
            batch.sampleIDs.map { ids in
                var counts = SampleCounts()
                counts.accepted = ids.count
                return .samples(SampleVerdicts(counts: counts))
            }, status: status)
    }

    /// Whether it helps only if the user changes something, which `trouble` names.
    package var needsUser: Bool {
        switch self {
        case .pause, .disable: true
        case .items, .unknown, .retryBatch, .inProgress, .failed, .bisect, .tooLarge: false
        }
    }

    /// Why the batch as a whole was not processed; `nil` if it was.
    package var trouble: String? {
        switch self {
        case .items: nil
        case .unknown(let reason), .retryBatch(let reason, _, _), .inProgress(let reason, _, _),
            .failed(let reason, _, _), .bisect(let reason, _), .pause(let reason, _), .disable(let reason, _):
            reason
        case .tooLarge(let status): "the request is too large" + (status.map { " (\($0))" } ?? "")
        }
    }

    /// The destination's own status code, if it has one.
    package var status: Int? {
        switch self {
        case .unknown: nil
        case .items(_, let status), .retryBatch(_, let status, _), .inProgress(_, let status, _),
            .failed(_, let status, _), .bisect(_, let status), .tooLarge(let status), .pause(_, let status),
            .disable(_, let status):
            status
        }
    }
}
