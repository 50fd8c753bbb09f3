import CHealthSyncMalloc
import HealthSyncDomain

/// The indexes of the most recently written series. Belongs to the writer's thread.
final class SampleIDIndex {
    /// The memory that the indexes may use between commits, which is enough for the filters of 60 million ids. The index
    /// of another series is read again when the series is written.
    private static let byteLimit = 128 << 20

    private struct Entry {
        let index: SeriesIndex
        var lastUse: Int
        var bytes = 0
    }

    private let connection: SQLiteConnection
    private let hash: SampleIDHash
    private var entries: [Int64: Entry] = [:]
    private var bytes = 0
    private var uses = 0
    /// The series used since the last commit.
    private var touched: Set<Int64> = []

    init(connection: SQLiteConnection) throws {
        self.connection = connection
        hash = try SampleIDHash(over: connection)
    }

    /// Returns whether the index of a series is in memory.
    func knows(_ series: Int64) -> Bool { entries[series] != nil }

    /// Returns the index of a series. If it is not in memory, all samples of the series must be written.
    func index(of series: Int64) throws -> SeriesIndex {
        uses += 1
        touched.insert(series)
        if let known = entries[series]?.index {
            entries[series]?.lastUse = uses
            return known
        }
        let index = try SeriesIndex(series: series, hash: hash, over: connection)
        entries[series] = Entry(index: index, lastUse: uses)
        return index
    }

    /// Moves recent ids to segments. All samples must be written.
    func flush() throws {
        for series in touched { try entries[series]?.index.flush() }
    }

    /// Accepts the changes of a committed transaction.
    func commit() {
        for series in touched {
            guard var entry = entries[series] else { continue }
            bytes -= entry.bytes
            entry.bytes = entry.index.byteCount
            bytes += entry.bytes
            entries[series] = entry
        }
        touched.removeAll(keepingCapacity: true)
        evict()
    }

    /// Discards indexes that may differ from the stored ones after a rollback.
    func rollBack() {
        for series in touched { forget(series) }
        touched.removeAll(keepingCapacity: true)
    }

    /// Discards the index of a series whose samples were all deleted.
    func forget(_ series: Int64) { bytes -= entries.removeValue(forKey: series)?.bytes ?? 0 }

    /// Discards the least recently used indexes, several at once, so that this happens rarely.
    ///
    /// Filters of different sizes leave gaps between smaller blocks of the heap: with 60 million samples of 100 users,
    /// half of 253 MB was free but not returned to the system.
    private func evict() {
        guard bytes > Self.byteLimit else { return }
        for (series, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
        where bytes > Self.byteLimit / 4 * 3 && entry.lastUse != uses {
            forget(series)
        }
        healthsync_return_free_memory()
    }
}

/// The ids of a stored page and the revisions of its samples.
struct StoredIDs {
    let firstPosition: Int64
    let ids: [SampleID]
    /// `nil` if no sample is deleted or has a revision other than 0.
    private let revised: ReceivedColumns?

    /// Creates the ids of samples without revisions.
    init(firstPosition: Int64, columns: ReceivedColumns) {
        self.firstPosition = firstPosition
        ids = columns.ids
        revised = columns
    }

    /// Reads the columns `first_position`, `ids` and `columns`, which is NULL if no sample of the page is revised.
    init(_ row: SQLiteStatement, of connection: SQLiteConnection) throws {
        firstPosition = try row.integer()
        let ids = try ReceivedSamplePages.ids(try row.blob(), of: connection)
        self.ids = ids
        revised = try row.optional { try $0.blob() }
            .map { try ReceivedSamplePages.columns($0, ids: ids, of: connection) }
    }

    /// Returns the revision of the sample at `index`.
    func revision(at index: Int) -> RecentIDs.Revision {
        guard let revised else { return .init(number: 0, isDeleted: false) }
        return .init(number: revised.revisions[index], isDeleted: revised.marks[index].contains(.deleted))
    }

    func contains(_ position: Int64) -> Bool {
        position >= firstPosition && position < firstPosition + Int64(ids.count)
    }
}
