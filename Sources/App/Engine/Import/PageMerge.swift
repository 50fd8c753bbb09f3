import HealthSyncDomain

/// The merge of new samples of one lineage into a page: a pure rule without a store.
struct PageMerge {
    /// The stored samples of a page.
    struct Content {
        var stored = SampleColumns()
        /// The samples of the lineage.
        var own = SampleColumns()
        /// The samples of other lineages.
        var others = SampleColumns()

        /// Removes samples that a change stream deleted.
        mutating func remove(_ deleted: DeletedSampleRows) {
            stored = deleted.removed(from: stored)
            own = deleted.removed(from: own)
        }

        /// Removes samples that versions on other pages replace.
        mutating func remove(_ outdated: SampleVersions.Outdated) {
            stored = stored.without(outdated)
            own = own.without(outdated)
            others = others.without(outdated)
        }
    }

    /// How the new samples relate to those of the lineage.
    enum Authority {
        /// They are all samples that start before that instant: samples of the lineage that they lack were deleted.
        case replaces(until: Instant)
        /// They are added, except for those that are omitted.
        case adds(omitted: SampleColumns)
    }

    /// The merged page in canonical order.
    var columns: SampleColumns
    /// The part of it that belongs to the lineage.
    var own: SampleColumns
    var added = 0
    /// New samples that were stored already, or occur twice.
    var known = 0
    /// Known samples that replaced one with another content, because the sender corrected it.
    var corrected = 0
    /// New samples that are omitted and not stored.
    var superseded = 0
    /// Samples that the lineage contained and no longer contains, whether other lineages contain them or not.
    var lost = 0
    /// Samples that were stored and are deleted.
    var deleted = SampleColumns()

    /// Merges `fresh`, which is in canonical order and aligned to the stored samples; `repeated` samples were left out.
    init(
        _ page: Content, fresh: SampleColumns, repeated: Int, authority: Authority, upsert: SampleColumns.Upsert
    ) {
        switch authority {
        case .replaces(let until):
            let later = page.own.starts.indices.filter { page.own.starts[$0] > until.milliseconds }
            own = later.isEmpty ? fresh : page.own.selecting(later).joined(by: fresh, upsert)
            lost = page.own.subtracting(own).count
            columns = page.others.joined(by: own, upsert)
            deleted = page.stored.subtracting(columns)
            added = Swift.max(0, columns.count - (page.stored.count - deleted.count))
        case .adds(let omitted):
            let alive = fresh.subtracting(omitted)
            superseded = fresh.subtracting(alive).subtracting(page.stored).count
            own = page.own.joined(by: alive, upsert)
            columns = page.others.joined(by: own, upsert)
            added = Swift.max(0, columns.count - page.stored.count)
            corrected = Swift.max(0, columns.subtracting(page.stored).count - added)
        }
        known = repeated + fresh.count - added
    }
}

extension SampleColumns {
    /// Returns the union with `other`, which wins if only one of two samples can be kept.
    fileprivate func joined(by other: SampleColumns, _ upsert: Upsert) -> SampleColumns {
        guard !isEmpty else { return other }
        guard !other.isEmpty else { return self }
        var union = self
        union.append(other)
        return union.normalized(upsert).columns
    }

    /// Returns the samples that are not in `other`, compared by start, length and value; both are in canonical order.
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
