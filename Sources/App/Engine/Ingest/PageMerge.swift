import HealthSyncDomain

/// What a page becomes when samples arrive for it: a pure rule, apart from any store.
struct PageMerge {
    /// How the arriving samples relate to what is stored.
    enum Authority {
        /// They are all there is: what is stored and not among them was deleted.
        case replaces
        /// They add to what is stored.
        case adds
    }

    /// The page afterwards, canonical.
    var columns: SampleColumns
    var added = 0
    /// Arrived and already there, or arrived twice.
    var known = 0
    /// Samples that were there and are no more.
    var deleted = SampleColumns()

    init(
        stored: SampleColumns, arriving: SampleColumns, tombstones: SampleColumns, authority: Authority,
        upsert: SampleColumns.Upsert
    ) {
        let (fresh, repeated) = arriving.normalized(upsert)
        switch authority {
        case .replaces:
            columns = fresh
            deleted = stored.subtracting(fresh)
            added = Swift.max(0, fresh.count - (stored.count - deleted.count))
            known = repeated + fresh.count - added
        case .adds:
            let alive = fresh.subtracting(tombstones)
            var union = stored
            union.append(alive)
            columns = union.normalized(upsert).columns
            added = Swift.max(0, columns.count - stored.count)
            known = repeated + fresh.count - added
        }
    }
}

extension SampleColumns {
    /// The samples that are not among `other`, by start, length and value; both in canonical order.
    func subtracting(_ other: SampleColumns) -> SampleColumns {
        guard !other.isEmpty, !isEmpty else { return self }
        var kept: [Int] = []
        var place = 0
        for index in 0..<count {
            let sample = (starts[index], durations[index], values[index])
            while place < other.count, (other.starts[place], other.durations[place], other.values[place]) < sample {
                place += 1
            }
            let isThere =
                place < other.count && (other.starts[place], other.durations[place], other.values[place]) == sample
            if !isThere { kept.append(index) }
        }
        return kept.count == count ? self : selecting(kept)
    }
}
