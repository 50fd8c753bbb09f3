import HealthSyncDomain
import Synchronization

/// The fingerprints and positions of all samples of a series, about 16 bytes a sample, and the positions of its pages.
///
/// A fingerprint shows which ids cannot be stored yet. If it is known, the stored id decides, so an index that contains
/// too much is harmless.
struct FingerprintIndex: Sendable {
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

/// The state of a series, which changes only under the lock of its user.
struct SeriesState: Sendable {
    let series: Int32
    /// The number of changes of the series so far.
    var change: Int64
    /// The number of the change that last removed all samples; 0 if none did.
    var emptied: Int64
    /// The last position assigned to a sample.
    var lastPosition: Int64
    /// The number of samples in pages that are not deleted.
    var alive: Int64
    /// The position after which samples are still rows; `nil` if there are no rows.
    var rowsAfter: Int64?

    /// Reads the columns of `select`.
    init(_ row: inout PostgresRow) throws {
        series = try row.int4()
        change = try row.integer()
        emptied = try row.integer()
        lastPosition = try row.integer()
        alive = try row.integer()
        rowsAfter = try row.optional { try $0.integer() }
    }

    static func select(_ series: some Collection<Int32>) -> UserCommand {
        UserCommand(
            """
            SELECT series_id, change, emptied, last_position, alive, rows_after FROM series
            WHERE user_id = $1 AND series_id = ANY ($2::integer[])
            """, [.array(.int4, of: series) { $0.int4($1) }])
    }

    var update: UserCommand {
        UserCommand(
            """
            UPDATE series SET change = $3, emptied = $4, last_position = $5, alive = $6, rows_after = $7
            WHERE user_id = $1 AND series_id = $2
            """, values)
    }

    /// Stores the state if the series is as `expected`; returns a row if it was.
    func update(if expected: ExpectedSeries) -> UserCommand {
        UserCommand(
            """
            UPDATE series SET change = $3, emptied = $4, last_position = $5, alive = $6, rows_after = $7
            WHERE user_id = $1 AND series_id = $2 AND \(ExpectedSeries.condition(change: 8, epoch: 9))
            RETURNING series_id
            """, values + expected.parameters)
    }

    private var values: [PostgresParameter] {
        [
            .int4(series), .int8(change), .int8(emptied), .int8(lastPosition), .int8(alive),
            rowsAfter.map { .int8($0) } ?? .null,
        ]
    }
}

/// The indexes of the series that this process wrote most recently. An index is outside of it while it is used. If the
/// transaction fails, it is not put back, and the next one reads it again.
final class SeriesIndexes: Sendable {
    struct Key: Hashable {
        var userRow: Int32
        var series: Int32
    }

    private struct Entry {
        var index: FingerprintIndex
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var size = 0
        var uses = 0

        mutating func remove(_ key: Key) -> FingerprintIndex? {
            guard let entry = entries.removeValue(forKey: key) else { return nil }
            size -= entry.index.size
            return entry.index
        }
    }

    /// The memory of all indexes, in units of 8 bytes: 64 MB.
    private static let largestSize = 8_000_000

    private let state = Mutex(State())

    /// Removes and returns the index of a series.
    func take(_ key: Key) -> FingerprintIndex? { state.withLock { $0.remove(key) } }

    /// Stores the index of a series, and discards the least recently used ones if they take too much memory.
    func put(_ index: FingerprintIndex, for key: Key) {
        state.withLock { state in
            _ = state.remove(key)
            state.uses += 1
            state.size += index.size
            state.entries[key] = Entry(index: index, lastUse: state.uses)
            guard state.size > Self.largestSize else { return }
            // Frees a quarter, so that the entries are rarely sorted.
            for (old, _) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
            where state.size > Self.largestSize / 4 * 3 && old != key { _ = state.remove(old) }
        }
    }
}
