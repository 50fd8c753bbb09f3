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

/// How many samples of a batch had which outcome.
public struct SampleCounts: Hashable, Sendable {
    /// Stored for the first time.
    public var created = 0
    /// Stored in place of an older revision.
    public var updated = 0
    /// Already stored.
    public var duplicate = 0
    /// Rejected permanently.
    public var rejected = 0
    /// Stored by a destination that does not report which of the above.
    public var accepted = 0

    /// Creates counts of 0.
    public init() {}

    /// The number of samples with an outcome: each is in exactly one of the other counts.
    package var answered: Int { created + updated + duplicate + rejected + accepted }

    /// Adds `other`.
    package static func += (left: inout SampleCounts, right: SampleCounts) {
        left.created += right.created
        left.updated += right.updated
        left.duplicate += right.duplicate
        left.rejected += right.rejected
        left.accepted += right.accepted
    }
}

/// The outcome for the samples of one outbox item.
public struct SampleVerdicts: Hashable, Sendable {
    /// A sample that was rejected permanently.
    public struct Rejected: Hashable, Sendable {
        /// The sample.
        public var id: SampleID
        /// Why the destination rejects it.
        public var reason: String

        /// Creates the rejection of one sample.
        public init(id: SampleID, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// The outcomes, counted.
    public var counts: SampleCounts
    /// The rejected samples. Each becomes a dead letter of its own.
    public var rejected: [Rejected]
    /// Samples to send again. Each group becomes an item of its own.
    public var waiting: [[SampleID]]

    /// Creates the outcome with these parts.
    public init(counts: SampleCounts = SampleCounts(), rejected: [Rejected] = [], waiting: [[SampleID]] = []) {
        self.counts = counts
        self.rejected = rejected
        self.waiting = waiting
    }
}

/// The reason of an item that was rejected because of some of its records: `1 of 24 records rejected: no such hour`.
package enum PartialRejection {
    private static let mark = " records rejected: "

    /// Returns the reason of an item of which `rejected` of `records` records were rejected, the first for `cause`.
    package static func reason(_ rejected: Int, of records: Int, _ cause: String) -> String {
        records == 1 ? cause : "\(rejected) of \(records)\(mark)\(cause)"
    }

    /// Returns the cause in a reason; the reason itself if it states no number of records.
    package static func cause(in reason: String) -> Substring {
        guard let mark = reason.firstRange(of: mark) else { return reason[...] }
        let words = reason[..<mark.lowerBound].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1] == "of", Int(words[0]) != nil, Int(words[2]) != nil else { return reason[...] }
        return reason[mark.upperBound...]
    }
}

/// How long to wait before the next attempt: full jitter under a bound that doubles.
package struct RetryPolicy: Sendable, Hashable {
    /// The bound of the first wait, in milliseconds.
    package var baseMilliseconds: Int64 = 2_000
    /// The largest bound, in milliseconds.
    package var capMilliseconds: Int64 = 15 * 60_000
    /// The longest wait that a destination may ask for, in milliseconds.
    package var longestRetryAfterMilliseconds: Int64 = 24 * 3_600_000
    /// The number of failures of the destination in a row after which only one small batch at a time is sent.
    package var breakerThreshold = 5

    package init() {}

    /// Returns the milliseconds to wait after `failures` failures in a row; `fraction` in 0..<1 is random.
    package func delayMilliseconds(afterFailures failures: Int, fraction: Double) -> Int64 {
        let bound =
            failures >= 20 ? capMilliseconds : min(capMilliseconds, baseMilliseconds << Int64(max(0, failures - 1)))
        return Int64((Double(bound) * min(max(fraction, 0), 1)).rounded(.down))
    }
}
