import HealthSyncDomain

/// What a page becomes when samples of one line of exports arrive for it: a pure rule, apart from any store.
struct PageMerge {
    /// What is stored of a page.
    struct Content {
        var stored = SampleColumns()
        /// What the line holds of it.
        var own = SampleColumns()
        /// What other lines hold of it.
        var others = SampleColumns()

        /// Takes out what versions on other pages replace.
        mutating func remove(_ outdated: SampleVersions.Outdated) {
            stored = stored.without(outdated)
            own = own.without(outdated)
            others = others.without(outdated)
        }
    }

    /// How the arriving samples relate to what the line holds.
    enum Authority {
        /// They are all there is that starts up to then: what the line holds and they lack was deleted.
        case replaces(until: Instant)
        /// They add to it, but for those that are withheld.
        case adds(withheld: SampleColumns)
    }

    /// The page afterwards, canonical.
    var columns: SampleColumns
    /// What the line holds of it afterwards.
    var own: SampleColumns
    var added = 0
    /// Arrived and already there, or arrived twice.
    var known = 0
    /// Arrived, are withheld and not there.
    var superseded = 0
    /// Samples that the line held and holds no more, whether others hold them or not.
    var lost = 0
    /// Samples that were there and are no more.
    var deleted = SampleColumns()

    init(_ page: Content, arriving: SampleColumns, authority: Authority, upsert: SampleColumns.Upsert) {
        let (fresh, repeated) = arriving.normalized(upsert)
        switch authority {
        case .replaces(let until):
            let later = page.own.starts.indices.filter { page.own.starts[$0] > until.milliseconds }
            own = later.isEmpty ? fresh : page.own.selecting(later).joined(by: fresh, upsert)
            lost = page.own.subtracting(own).count
            columns = page.others.joined(by: own, upsert)
            deleted = page.stored.subtracting(columns)
            added = Swift.max(0, columns.count - (page.stored.count - deleted.count))
        case .adds(let withheld):
            let alive = fresh.subtracting(withheld)
            superseded = fresh.subtracting(alive).subtracting(page.stored).count
            own = page.own.joined(by: alive, upsert)
            columns = page.others.joined(by: own, upsert)
            added = Swift.max(0, columns.count - page.stored.count)
        }
        known = repeated + fresh.count - added
    }
}

extension SampleColumns {
    /// These and the samples of `other`, which count more where only one can.
    fileprivate func joined(by other: SampleColumns, _ upsert: Upsert) -> SampleColumns {
        guard !isEmpty else { return other }
        guard !other.isEmpty else { return self }
        var union = self
        union.append(other)
        return union.normalized(upsert).columns
    }

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
