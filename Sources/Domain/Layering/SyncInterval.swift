/// A leaf of the layering tree: the interval of time in which raw samples are sent.
package struct SyncInterval: Hashable, Sendable {
    package var interval: GridInterval
    /// Figures of the samples that start inside.
    package var figures: IntervalFigures

    package init(interval: GridInterval, figures: IntervalFigures) {
        self.interval = interval
        self.figures = figures
    }
}

/// Figures about the samples that start within an interval. They are additive: the figures of an interval are the sum
/// of the figures of its halves.
package struct IntervalFigures: Hashable, Sendable, AdditiveArithmetic {
    /// The sum of the steps as whole numbers; 0 for types other than steps.
    package var stepCount: Int64
    /// The number of samples and the sum of their ids.
    package var digest: IntervalDigest

    /// Creates figures from their parts, by default those of no samples.
    package init(stepCount: Int64 = 0, digest: IntervalDigest = IntervalDigest()) {
        self.stepCount = stepCount
        self.digest = digest
    }

    /// The figures of no samples.
    package static var zero: IntervalFigures { IntervalFigures() }

    /// The number of samples.
    package var sampleCount: Int { digest.count }

    /// Adds one sample with `steps` steps.
    package mutating func insert(_ id: SampleID, steps: Int64) {
        stepCount &+= steps
        digest.insert(id)
    }

    /// Returns the figures of the union of two disjoint sets.
    package static func + (left: IntervalFigures, right: IntervalFigures) -> IntervalFigures {
        IntervalFigures(stepCount: left.stepCount &+ right.stepCount, digest: left.digest + right.digest)
    }

    /// Returns the figures of `left` without the samples of `right`, which must be a subset of `left`.
    package static func - (left: IntervalFigures, right: IntervalFigures) -> IntervalFigures {
        IntervalFigures(stepCount: left.stepCount &- right.stepCount, digest: left.digest - right.digest)
    }
}

/// A digest of a set of samples: their number and the sum of their ids as 128-bit integers. It does not depend on
/// order and is additive: the digest of an interval is the sum of the digests of its halves.
package struct IntervalDigest: Hashable, Sendable {
    package private(set) var count: Int
    /// The upper 64 bits of the sum modulo 2^128.
    package private(set) var high: UInt64
    /// The lower 64 bits of the sum.
    package private(set) var low: UInt64

    /// Creates the digest of the empty set.
    package init() {
        count = 0
        high = 0
        low = 0
    }

    /// Creates a digest from its parts.
    package init(count: Int, high: UInt64, low: UInt64) {
        self.count = count
        self.high = high
        self.low = low
    }

    /// Adds one sample.
    package mutating func insert(_ id: SampleID) { add(count: 1, high: id.high, low: id.low) }

    /// Returns the digest of the union of two disjoint sets.
    package static func + (left: IntervalDigest, right: IntervalDigest) -> IntervalDigest {
        var sum = left
        sum.add(count: right.count, high: right.high, low: right.low)
        return sum
    }

    /// Returns the digest of `left` without the samples of `right`, which must be a subset of `left`.
    package static func - (left: IntervalDigest, right: IntervalDigest) -> IntervalDigest {
        var rest = left
        let (low, borrow) = rest.low.subtractingReportingOverflow(right.low)
        rest.low = low
        rest.high = rest.high &- right.high &- (borrow ? 1 : 0)
        rest.count -= right.count
        return rest
    }

    private mutating func add(count more: Int, high otherHigh: UInt64, low otherLow: UInt64) {
        let (sum, carry) = low.addingReportingOverflow(otherLow)
        low = sum
        high = high &+ otherHigh &+ (carry ? 1 : 0)
        count += more
    }
}

/// The delivery state of an interval at one server.
package enum IntervalState: String, Hashable, Sendable, CaseIterable {
    /// The server has every sample of the interval.
    case synced
    /// Some of it is queued in the outbox or in flight.
    case waiting
    /// The server rejected some of its samples; they are dead letters.
    case rejected = "refused"
    /// It was not offered to the server, or its rejected samples were discarded.
    case local
}

/// An interval and its delivery state at one server.
package struct IntervalStatus: Hashable, Sendable {
    package var interval: SyncInterval
    package var state: IntervalState
    /// When the server's response completed the interval.
    package var syncedAt: Instant?
    /// The number of its samples that are dead letters.
    package var rejectedCount: Int

    /// Whether the interval is synced because it contains no samples, so that nothing is sent.
    package var isSyncedWithoutSamples: Bool { state == .synced && interval.figures.sampleCount == 0 }

    package init(interval: SyncInterval, state: IntervalState, syncedAt: Instant? = nil, rejectedCount: Int = 0) {
        self.interval = interval
        self.state = state
        self.syncedAt = syncedAt
        self.rejectedCount = rejectedCount
    }
}

/// Running totals over ranges of time that consist of whole cells of the layering grid (512 s). The total of an
/// interval that splits no range is the difference of two running totals, found by binary search.
struct CellTotals<Total: AdditiveArithmetic & Sendable>: Sendable {
    /// Starts of the nonempty ranges, in milliseconds since 1970, ascending.
    private(set) var starts: [Int64] = []
    /// Totals of everything before the range at the same index, then the grand total. Has one element more than
    /// `starts`.
    private var totals = [Total.zero]

    /// The grand total.
    var all: Total { totals[totals.count - 1] }

    /// Applies `change` to the total of the range that begins at `start`, which must not precede an earlier start.
    mutating func change(at start: Int64, _ change: (inout Total) -> Void) {
        if starts.last != start {
            starts.append(start)
            totals.append(all)
        }
        change(&totals[totals.count - 1])
    }

    /// Returns the total of the ranges that begin within `interval`.
    subscript(_ interval: GridInterval) -> Total {
        totals[place(of: interval.end)] - totals[place(of: interval.start)]
    }

    /// Returns the number of ranges that begin before `instant`.
    private func place(of instant: Instant) -> Int { starts.partitionPoint { $0 < instant.milliseconds } }
}

/// A change to the intervals of a type, stored in one transaction with the items to be sent.
package struct LayeringCommit: Sendable {
    package var type: SampleType
    /// The rule by which the intervals were divided.
    package var rule: LayeringRule
    /// Starts of the intervals to delete.
    package var removed: [Instant] = []
    /// Intervals to insert, or to replace if one with the same start exists.
    package var intervals: [SyncInterval] = []
    /// Items to be sent: slices of intervals, and deletions. The intervals count as not synced at their servers until
    /// the items are delivered.
    package var outbox: [NewOutboxItem] = []
    /// Intervals that a server has completely and for which nothing is to be sent.
    package var synced: [IntervalKey] = []
    /// Intervals whose queued items are replaced by `outbox`: older items that are not frozen are removed.
    package var superseded: [IntervalKey] = []
    /// Samples that were changed or deleted.
    package var revisions: [SampleRevision] = []
    /// Whether this commit settles the noted changes of pages.
    package var settlesChangedPages = false

    package init(type: SampleType, rule: LayeringRule) {
        self.type = type
        self.rule = rule
    }
}

/// Identifies an interval at one server.
package struct IntervalKey: Hashable, Sendable {
    package var destination: String
    package var start: Instant

    package init(destination: String, start: Instant) {
        self.destination = destination
        self.start = start
    }
}
