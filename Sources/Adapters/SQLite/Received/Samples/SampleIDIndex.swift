import HealthSyncDomain

/// The stored ids of the most recently written users and types, read from the pages on first use. Belongs to the
/// writer's thread.
final class SampleIDIndex {
    /// The approximate number of ids kept in memory, 32 bytes each, in addition to those of the series being written.
    private static let idLimit = 4_000_000

    private struct Entry {
        var ids: SeriesIDs
        var lastUse: Int
    }

    private let connection: SQLiteConnection
    private var entries: [Int64: Entry] = [:]
    private var uses = 0
    /// The series used since the last commit.
    private var touched: Set<Int64> = []

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Returns whether the ids of a series are in memory.
    func knows(_ series: Int64) -> Bool { entries[series] != nil }

    /// Returns the ids of a series. If they are not in memory, all samples of the series must be written.
    func ids(of series: Int64) throws -> SeriesIDs {
        uses += 1
        touched.insert(series)
        if let known = entries[series]?.ids {
            entries[series]?.lastUse = uses
            return known
        }
        let ids = try read(series)
        entries[series] = Entry(ids: ids, lastUse: uses)
        evict(except: series)
        return ids
    }

    /// Accepts the changes of a committed transaction.
    func commit() { touched.removeAll(keepingCapacity: true) }

    /// Discards ids that may differ from the stored ones after a rollback.
    func rollBack() {
        for series in touched { entries[series] = nil }
        touched.removeAll(keepingCapacity: true)
    }

    /// Discards the ids of a series whose samples were all deleted.
    func removeAll(series: Int64) {
        touched.insert(series)
        entries[series] = nil
    }

    private func evict(except series: Int64) {
        var total = entries.values.reduce(0) { $0 + $1.ids.count }
        for (other, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
        where total > Self.idLimit && other != series {
            total -= entry.ids.count
            entries[other] = nil
        }
    }

    private func read(_ series: Int64) throws -> SeriesIDs {
        let count = try connection.first(
            "SELECT sum(count) FROM sample_pages WHERE series_id = ?1", series
        ) { try $0.optional { try $0.int() } }
        let ids = SeriesIDs(expecting: (count ?? nil) ?? 0)
        _ = try connection.rows(
            """
            SELECT first_position, ids, iif(revised > 0, columns, NULL) FROM sample_pages INDEXED BY sample_pages_by_series
            WHERE series_id = ?1 ORDER BY first_position
            """, series
        ) { row in
            ids.note(SeriesIDs.Run(ordinal: ids.count, position: try row.integer()))
            let first = ids.count
            let page = try ReceivedSamplePages.ids(try row.blob(), of: connection)
            for id in page where ids.insert(id) != nil {
                throw SQLiteFailure.damaged(connection.path, "a sample is stored twice")
            }
            guard let columns = try row.optional({ try $0.blob() }) else { return }
            let revised = try ReceivedSamplePages.columns(columns, ids: page, of: connection)
            for index in 0..<revised.count {
                let isDeleted = revised.marks[index].contains(.deleted)
                ids.set(.init(number: revised.revisions[index], isDeleted: isDeleted), of: first + index)
            }
        }
        return ids
    }
}
