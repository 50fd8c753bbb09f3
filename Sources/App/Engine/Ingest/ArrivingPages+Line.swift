import HealthSyncDomain
import HealthSyncPorts

extension ArrivingPages {
    /// Returns the lineage that the samples belong to, and whether they begin it next to other lineages.
    ///
    /// Samples are compared only in case of doubt: without `comparing`, an export that follows the only lineage counts
    /// as its next export until it turns out to lack too much (`LineageMismatch`).
    func line(
        of pages: PageSequence, among held: HeldPages, comparing: Bool
    ) throws -> (number: Int, isNew: Bool) {
        guard semantics == .snapshot, let first = held.lines.first, let last = held.lines.last else {
            return (HeldPages.firstLineage, false)
        }
        let mustBeKnown = allowDeletions || !isComplete
        if held.lines.count == 1, mustBeKnown || !comparing && continues(held.dates(of: first)) {
            return (first, false)
        }
        guard let best = try matches(of: pages, among: held).max(by: LineageMatch.isWorse) else {
            return (first, false)
        }
        return mustBeKnown || best.isSameLineage ? (best.line, false) : (last + 1, true)
    }

    /// Whether no selected type was read from a later export.
    private func continues(_ dates: SnapshotDates) -> Bool {
        guard let exportDate else { return false }
        return types.allSatisfy { dates[$0.type].map { $0 <= exportDate } ?? true }
    }

    private func matches(of pages: PageSequence, among held: HeldPages) throws -> [LineageMatch] {
        var matches = held.lines.map { line in
            LineageMatch(line: line, isOfSameDate: exportDate.map { held.dates(of: line).contains($0) } ?? false)
        }
        var unseen = held.lines.map { held.digests(of: $0) }
        let heldTypes = unseen.map { Set($0.keys.map(\.type)) }
        try pages.forEach { page in
            let key = page.key
            let fresh = try page.samples().normalized(upsert(at: key)).columns
            let digest = packed(fresh, at: key)?.digest
            // The user allowed deletions: the missing samples count as deleted.
            let tombstones = force ? nil : try held.tombstones(at: key)
            for place in matches.indices {
                let line = matches[place].line
                let latest = held.dates(of: line)[key.type]
                let isSame = unseen[place].removeValue(forKey: key) == digest
                let own = isSame ? fresh : try held.samples(of: line, at: key)
                guard latest != nil || heldTypes[place].contains(key.type) else { continue }
                let aligned =
                    isSame
                    ? fresh
                    : self.aligned(fresh, to: own, tombstones: tombstones?.columns, upsert: upsert(at: key))
                matches[place].count(
                    aligned, held: own,
                    tombstones: tombstones?.columns ?? SampleColumns(),
                    supersededUntil: isSuperseded(by: latest) ? latest : nil)
            }
        }
        for place in matches.indices {
            let line = matches[place].line
            for key in unseen[place].keys {
                guard let page = try held.page(of: line, at: key)?.summary,
                    exportDate.map({ page.firstStart <= $0 }) ?? true
                else { continue }
                matches[place].countUnseen(page.count, isSuperseded: isSuperseded(by: held.dates(of: line)[key.type]))
            }
        }
        return matches
    }
}
