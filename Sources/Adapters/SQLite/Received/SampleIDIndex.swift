import HealthSyncDomain

/// Where the sample with an id is: the table `sample_ids` up to a position, and memory behind it. Belongs to the
/// writer's thread.
final class SampleIDIndex {
    private struct Key: Hashable {
        var series: Int64
        var id: SampleID
    }

    /// So many ids are kept in memory, some 5 MB, before they go into the table together.
    private static let manyIDs = 65_536

    private let connection: SQLiteConnection
    private var recent: [Key: Int64] = [:]

    init(connection: SQLiteConnection) throws {
        self.connection = connection
        recent.reserveCapacity(Self.manyIDs + 10_000)
        try reload()
    }

    /// Reads again what is kept in memory: at the start, and after a rollback.
    func reload() throws {
        recent.removeAll(keepingCapacity: true)
        let rows = try connection.rows(
            "SELECT series_id, id, position FROM samples WHERE position > (SELECT indexed FROM positions)"
        ) { (series: try $0.integer(), id: try $0.digest(), position: try $0.integer()) }
        for row in rows {
            recent[Key(series: row.series, id: SampleID(high: row.id.high, low: row.id.low))] = row.position
        }
    }

    /// The position of the sample with `id`; `nil` where there is none.
    func position(of id: SampleID, series: Int64) throws -> Int64? {
        if let known = recent[Key(series: series, id: id)] { return known }
        return try connection.first(
            "SELECT position FROM sample_ids WHERE series_id = ?1 AND id = ?2", series, id.storedBytes
        ) { try $0.integer() }
    }

    /// A sample was inserted.
    func note(_ id: SampleID, series: Int64, at position: Int64) { recent[Key(series: series, id: id)] = position }

    /// All samples of a series were deleted.
    func removeAll(series: Int64) throws {
        try connection.execute("DELETE FROM sample_ids WHERE series_id = ?1", series)
        recent = recent.filter { $0.key.series != series }
    }

    /// Within a transaction: brings the table up to `position`, where that has become worth it.
    func indexIfMany(upTo position: Int64) throws {
        guard recent.count >= Self.manyIDs else { return }
        let entries = recent.sorted { left, right in
            let (first, second) = (left.key, right.key)
            return (first.series, first.id.high, first.id.low) < (second.series, second.id.high, second.id.low)
        }
        for (key, place) in entries {
            try connection.execute(
                "INSERT INTO sample_ids (series_id, id, position) VALUES (?1, ?2, ?3)", key.series,
                key.id.storedBytes, place)
        }
        try connection.execute("UPDATE positions SET indexed = ?1", position)
        recent.removeAll(keepingCapacity: true)
    }
}
