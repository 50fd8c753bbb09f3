import HealthSyncDomain

/// The ids of all samples of one user and type in the order of storage: an open-addressing hash table of 16-byte ids,
/// about 32 bytes per id. Belongs to the writer's thread.
final class SeriesIDs {
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

    /// Creates an empty table with capacity for `count` ids.
    init(expecting count: Int = 0) {
        ids.reserveCapacity(count)
        slots = [UInt64](repeating: 0, count: Self.slotCount(for: count))
    }

    var count: Int { ids.count }

    /// Adds `id` and returns `nil`, or returns the ordinal that it already has.
    func insert(_ id: SampleID) -> Int? {
        if ids.count * 4 >= slots.count * 3 { grow() }
        let hash = Self.hash(id)
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
    func note(_ run: Run) {
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
    func set(_ revision: Revision, of ordinal: Int) {
        if revision.number == 0, !revision.isDeleted { return }
        revisions[ordinal] = revision
    }

    private func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for (ordinal, id) in ids.enumerated() {
            let hash = Self.hash(id)
            var slot = Int(truncatingIfNeeded: hash) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = Self.entry(hash, count: ordinal + 1)
        }
        slots = larger
    }

    private static func entry(_ hash: UInt64, count: Int) -> UInt64 {
        hash & 0xFFFF_FFFF_0000_0000 | UInt64(truncatingIfNeeded: count)
    }

    private static func slotCount(for count: Int) -> Int {
        var slots = 1_024
        while slots * 3 < count * 4 + 4 { slots *= 2 }
        return slots
    }

    /// Ids may differ in a few bits only, so all bits affect every bit of the hash.
    private static func hash(_ id: SampleID) -> UInt64 {
        var bits = (id.high ^ (id.low &* 0x9E37_79B9_7F4A_7C15)) &* 0xBF58_476D_1CE4_E5B9
        bits ^= bits >> 32
        bits = bits &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 29)
    }
}
