import HealthSyncDomain

/// The ids of the samples of a series that no segment contains yet, in the order of storage: an open-addressing hash
/// table of 16-byte ids, about 32 bytes per id.
struct RecentIDs {
    /// A run of samples: those from `ordinal` on have consecutive positions from `position` on.
    struct Run {
        var ordinal: Int
        var position: Int64
    }

    /// The state of a sample that is deleted or has a revision other than 0.
    struct Revision {
        var number: Int64
        var isDeleted: Bool
    }

    private var ids: [SampleID] = []
    /// The slots; their number is a power of two. The lower half of a slot is the ordinal of its id plus 1, or 0 if the
    /// slot is empty. The upper half is from the hash, so that other ids, which are anywhere in memory, are rarely
    /// compared.
    private var slots: [UInt64]
    private var runs: [Run] = []
    private var revisions: [Int: Revision] = [:]

    private let hash: SampleIDHash

    /// Creates an empty table.
    init(hash: SampleIDHash) {
        self.hash = hash
        slots = [UInt64](repeating: 0, count: 256)
    }

    var count: Int { ids.count }

    /// The approximate size in memory.
    var byteCount: Int { slots.count * 8 + ids.count * 16 }

    /// Returns whether the table contains `id`, which has `hash`.
    func contains(_ id: SampleID, hash: UInt64) -> Bool {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while case let entry = slots[slot], entry != 0 {
            if (entry ^ hash) >> 32 == 0, ids[Int(entry & 0xFFFF_FFFF) - 1] == id { return true }
            slot = (slot + 1) & mask
        }
        return false
    }

    /// Adds `id`, which has `hash`, and returns `nil`, or returns the ordinal that it already has.
    mutating func insert(_ id: SampleID, hash: UInt64) -> Int? {
        if ids.count * 4 >= slots.count * 3 { grow() }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while case let entry = slots[slot], entry != 0 {
            if (entry ^ hash) >> 32 == 0 {
                let ordinal = Int(entry & 0xFFFF_FFFF) - 1
                if ids[ordinal] == id { return ordinal }
            }
            slot = (slot + 1) & mask
        }
        ids.append(id)
        slots[slot] = Self.entry(hash, count: ids.count)
        return nil
    }

    /// Records a run of positions.
    mutating func note(_ run: Run) {
        if let last = runs.last, run.position - last.position == Int64(run.ordinal - last.ordinal) { return }
        runs.append(run)
    }

    /// Returns the position of the sample with `ordinal`.
    func position(of ordinal: Int) -> Int64? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].ordinal <= ordinal { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return runs[low - 1].position + Int64(ordinal - runs[low - 1].ordinal)
    }

    /// Returns the revision of the sample with `ordinal`.
    func revision(of ordinal: Int) -> Revision { revisions[ordinal] ?? Revision(number: 0, isDeleted: false) }

    /// Sets the revision of the sample with `ordinal`.
    mutating func set(_ revision: Revision, of ordinal: Int) {
        if revision.number == 0, !revision.isDeleted { return }
        revisions[ordinal] = revision
    }

    /// Returns the id of every sample with its position.
    func entries() -> [SampleIDLayout.Entry] {
        var entries: [SampleIDLayout.Entry] = []
        entries.reserveCapacity(ids.count)
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].ordinal : ids.count
            for ordinal in run.ordinal..<end {
                let position = run.position + Int64(ordinal - run.ordinal)
                entries.append(.init(prefix: hash.prefix(ids[ordinal]), position: position))
            }
        }
        return entries
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for (ordinal, id) in ids.enumerated() {
            let hash = hash.hash(id)
            var slot = Int(truncatingIfNeeded: hash) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = Self.entry(hash, count: ordinal + 1)
        }
        slots = larger
    }

    private static func entry(_ hash: UInt64, count: Int) -> UInt64 {
        hash & 0xFFFF_FFFF_0000_0000 | UInt64(truncatingIfNeeded: count)
    }
}
