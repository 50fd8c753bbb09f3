import HealthSyncDomain

/// The fingerprints and positions of all samples of a series, about 16 bytes a sample, and the positions of its pages.
///
/// A fingerprint shows which ids cannot be stored yet. If it is known, the stored id decides, so an index that contains
/// too much is harmless.
struct SeriesIndex: Sendable {
    /// Identifies the table and the timeline of the server that the index was read from. Counters of changes are
    /// comparable only within one epoch.
    let epoch: String
    /// The number of the last change of the series that is included.
    var change: Int64
    /// The state of the series after that change, if this process made it.
    var state: SeriesState?
    /// The pages in the order of their positions.
    private(set) var pages: [PageSpan] = []
    private var count = 0
    /// An open-addressing hash table; the number of slots is a power of two. A slot consists of a fingerprint and, in
    /// its lower half, a position; 0 if it is empty.
    private var slots: [UInt64]

    /// The positions that an index can contain.
    static let positions: ClosedRange<Int64> = 1...Int64(UInt32.max)

    /// Creates an empty index with capacity for `count` samples.
    init(epoch: String, expecting count: Int = 0) {
        self.epoch = epoch
        change = 0
        var size = 64
        while size * 3 < count * 4 + 4 { size *= 2 }
        slots = [UInt64](repeating: 0, count: size)
    }

    /// The memory it takes, in units of 8 bytes.
    var size: Int { slots.count + 3 * pages.count }

    /// Adds a sample, unless it is known. Its position must be among `positions`.
    mutating func insert(_ fingerprint: UInt32, at position: Int64) {
        if count * 4 >= slots.count * 3 { grow() }
        let entry = UInt64(fingerprint) << 32 | UInt64(position)
        let mask = slots.count - 1
        var slot = Self.hash(fingerprint) & mask
        while slots[slot] != 0 {
            if slots[slot] == entry { return }
            slot = (slot + 1) & mask
        }
        slots[slot] = entry
        count += 1
    }

    /// Returns the position of a sample with this fingerprint for which `isSame` is true.
    func position(of fingerprint: UInt32, where isSame: (Int64) -> Bool) -> Int64? {
        let mask = slots.count - 1
        var slot = Self.hash(fingerprint) & mask
        while case let entry = slots[slot], entry != 0 {
            if UInt32(entry >> 32) == fingerprint {
                let position = Int64(entry & 0xFFFF_FFFF)
                if isSame(position) { return position }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Adds a page, which replaces all pages that begin within it.
    mutating func add(_ span: PageSpan) {
        let start = pages.partitionPoint { $0.first < span.first }
        let end = pages.partitionPoint { $0.first <= span.last }
        pages.replaceSubrange(start..<end, with: CollectionOfOne(span))
    }

    /// Undoes changes of the pages. Fingerprints that were added since stay, and are harmless.
    mutating func restore(pages: [PageSpan], change: Int64) {
        self.pages = pages
        self.change = change
        state = nil
    }

    /// Returns the page that contains `position`.
    func page(at position: Int64) -> PageSpan? {
        let index = pages.partitionPoint { $0.first <= position }
        guard index > 0, pages[index - 1].last >= position else { return nil }
        return pages[index - 1]
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for entry in slots where entry != 0 {
            var slot = Self.hash(UInt32(entry >> 32)) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = entry
        }
        slots = larger
    }

    private static func hash(_ fingerprint: UInt32) -> Int { Int((UInt64(fingerprint) &* 0x9E37_79B9_7F4A_7C15) >> 24) }
}
