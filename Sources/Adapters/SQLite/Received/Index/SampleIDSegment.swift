import HealthSyncDomain

/// A segment of the id index of a series, with its filter in memory. Its entries are in the table `id_chunks`. A segment
/// never changes; several are merged into a larger one.
struct SampleIDSegment {
    typealias Entry = SampleIDLayout.Entry

    /// The row of the segment.
    let row: Int64
    /// The positions of its samples.
    let positions: ClosedRange<Int64>
    let count: Int
    let layout: SampleIDLayout
    let filter: SampleIDFilter

    /// The size class: a segment of the next level is about four times as large.
    var level: Int {
        let flushes = max(1, count / SeriesIndex.flushCount)
        return (Int.bitWidth - 1 - flushes.leadingZeroBitCount) / 2
    }

    /// Returns the segments of a series, oldest first.
    static func all(of series: Int64, over connection: SQLiteConnection) throws -> [SampleIDSegment] {
        try connection.rows(
            """
            SELECT segment_id, first_position, last_position, count, chunk_bits, offset_bits, filter FROM id_segments
            WHERE series_id = ?1 ORDER BY first_position
            """, series
        ) { row in
            let (id, first, last) = (try row.integer(), try row.integer(), try row.integer())
            let (count, chunkBits, offsetBits) = (try row.int(), try row.int(), try row.int())
            let filter = try row.blob()
            guard first <= last else { throw damaged(connection) }
            do {
                return SampleIDSegment(
                    row: id, positions: first...last, count: count,
                    layout: try SampleIDLayout(chunkBits: chunkBits, offsetBits: offsetBits, firstPosition: first),
                    filter: try SampleIDFilter(filter))
            } catch is DamagedPage {
                throw damaged(connection)
            }
        }
    }

    /// Stores a new segment with `entries`, which are in the order of their positions and span at most
    /// `SampleIDLayout.largestSpan`.
    static func insert(
        _ entries: ArraySlice<Entry>, series: Int64, over connection: SQLiteConnection
    ) throws -> SampleIDSegment? {
        guard let first = entries.first, let last = entries.last else { return nil }
        let positions = first.position...last.position
        var writing = try Writing(count: entries.count, positions: positions, over: connection)
        try writing.write(Array(entries), part: 0, bits: 0)
        return try writing.finish(series: series)
    }

    /// Replaces consecutive segments of a series by one. Reads and writes a part at a time.
    static func merge(
        _ sources: ArraySlice<SampleIDSegment>, series: Int64, over connection: SQLiteConnection
    ) throws -> SampleIDSegment? {
        guard let first = sources.first, let last = sources.last else { return nil }
        let positions = first.positions.lowerBound...last.positions.upperBound
        var writing = try Writing(count: sources.reduce(0) { $0 + $1.count }, positions: positions, over: connection)
        let bits = sources.reduce(writing.layout.chunkBits) { min($0, $1.layout.chunkBits) }
        for part in 0..<1 << bits {
            var entries: [Entry] = []
            for source in sources {
                let chunks = 1 << (source.layout.chunkBits - bits)
                for chunk in part * chunks..<(part + 1) * chunks {
                    try source.forEach(in: chunk, over: connection) { entries.append($0) }
                }
            }
            try writing.write(entries, part: part, bits: bits)
        }
        for source in sources { try source.remove(over: connection) }
        return try writing.finish(series: series)
    }

    /// Calls `body` with the entries of a chunk.
    func forEach(in chunk: Int, over connection: SQLiteConnection, _ body: (Entry) -> Void) throws {
        let bytes = try connection.first(
            "SELECT entries FROM id_chunks WHERE chunk_id = ?1", Self.firstChunk(of: row) + Int64(chunk)
        ) { try $0.blob() }
        do {
            guard let bytes else { throw DamagedPage() }
            try layout.forEach(in: bytes, chunk: chunk, body)
        } catch {
            throw Self.damaged(connection)
        }
    }

    /// Deletes the segment.
    func remove(over connection: SQLiteConnection) throws {
        let first = Self.firstChunk(of: row)
        try connection.execute(
            "DELETE FROM id_chunks WHERE chunk_id >= ?1 AND chunk_id < ?2", first, first + Int64(layout.chunkCount))
        try connection.execute("DELETE FROM id_segments WHERE segment_id = ?1", row)
    }

    private static func firstChunk(of row: Int64) -> Int64 { row << 16 }

    private static func damaged(_ connection: SQLiteConnection) -> SyncFailure {
        SQLiteFailure.damaged(connection.path, "a segment of the id index cannot be read")
    }

    /// A new segment that is being stored.
    private struct Writing {
        let layout: SampleIDLayout
        private let connection: SQLiteConnection
        private let row: Int64
        private let positions: ClosedRange<Int64>
        private var filter: SampleIDFilter
        private var count = 0

        init(count: Int, positions: ClosedRange<Int64>, over connection: SQLiteConnection) throws {
            layout = SampleIDLayout(count: count, positions: positions)
            filter = SampleIDFilter(expecting: count)
            row =
                try connection.first("SELECT ifnull(max(segment_id), 0) + 1 FROM id_segments") { try $0.integer() } ?? 1
            self.positions = positions
            self.connection = connection
        }

        /// Writes the chunks whose number begins with the `bits` bits of `part`; `entries` are all of theirs.
        mutating func write(_ entries: [Entry], part: Int, bits: Int) throws {
            let chunks = 1 << (layout.chunkBits - bits)
            var sorted = [[Entry]](repeating: [], count: chunks)
            for index in sorted.indices { sorted[index].reserveCapacity(entries.count / chunks + 64) }
            filter.insert(entries)
            for entry in entries { sorted[layout.chunk(of: entry.prefix) - part * chunks].append(entry) }
            for (index, chunk) in sorted.enumerated() {
                try connection.execute(
                    "INSERT INTO id_chunks (chunk_id, entries) VALUES (?1, ?2)",
                    SampleIDSegment.firstChunk(of: row) + Int64(part * chunks + index),
                    SQLiteValue.blob(layout.encode(chunk[...])))
            }
            count += entries.count
        }

        func finish(series: Int64) throws -> SampleIDSegment {
            try connection.execute(
                """
                INSERT INTO id_segments (segment_id, series_id, first_position, last_position, count, chunk_bits,
                    offset_bits, filter)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """, row, series, positions.lowerBound, positions.upperBound, count, layout.chunkBits,
                layout.offsetBits,
                SQLiteValue.blob(filter.bytes))
            return SampleIDSegment(row: row, positions: positions, count: count, layout: layout, filter: filter)
        }
    }
}
