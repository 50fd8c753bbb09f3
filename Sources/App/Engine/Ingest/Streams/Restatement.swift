import HealthSyncDomain

/// What the deliveries of a feed state for one start: the entries of a later delivery replace the earlier ones as a set.
///
/// A smaller sum that ends no later, of an interval that was over when the earlier sum was made, is that of a window which
/// clips the interval: it does not replace the earlier one.
struct Restatement {
    /// The entries of one delivery.
    struct Entries {
        var version: Int64
        /// The position of the delivery; negative for what is stored.
        var order: Int
        var values: [Double] = []
        /// The latest end, in milliseconds since 1970.
        var end: Int64 = .min
        /// The positions of the entries among all that are compared.
        var rows: [Int] = []

        var isStored: Bool { order == FeedVersions.stored }

        /// The sum. Of entries that an earlier version of the program stored, which could not tell a restatement from a
        /// further entry, it is the largest value.
        var sum: Double {
            version == .min ? values.max() ?? 0 : values.sorted().reduce(0, +)
        }

        mutating func add(value: Double, end: Int64, row: Int) {
            values.append(value)
            self.end = max(self.end, end)
            rows.append(row)
        }

        /// Returns whether `later` states less of the same interval, which was over. When entries without a version were
        /// made is unknown: they count as made at the time of the later delivery.
        func isClipped(by later: Entries) -> Bool {
            later.sum < sum && later.end <= end && end <= (version == .min ? later.version : version)
        }
    }

    private var entries: [Entries] = []

    /// Adds an entry to those of its delivery.
    mutating func add(value: Double, end: Int64, row: Int, version: Int64, order: Int) {
        let place = entries.firstIndex { $0.version == version && $0.order == order } ?? entries.count
        if place == entries.count { entries.append(Entries(version: version, order: order)) }
        entries[place].add(value: value, end: end, row: row)
    }

    /// Returns the entries that count, and the positions of those that clip them. `isSum` tells whether the entries are
    /// sums.
    func outcome(isSum: Bool) -> (counting: Entries?, clipping: [Int]) {
        let inOrder = entries.sorted { ($0.version, $0.order) < ($1.version, $1.order) }
        guard var counting = inOrder.first else { return (nil, []) }
        var clipping: [Int] = []
        for later in inOrder.dropFirst() {
            if isSum, counting.isClipped(by: later) {
                if !later.isStored { clipping += later.rows }
            } else {
                counting = later
            }
        }
        return (counting, clipping)
    }
}
