import HealthSyncDomain
import HealthSyncPorts

/// Merges the samples of several pages of a day into one page of their common origin.
struct ConvertedPages {
    struct PageType {
        let id: Int64
        let type: SampleType
        let isLayered: Bool
    }

    struct Place: Hashable {
        let day: CalendarDay
        let origin: Int64
    }

    /// The row id of a page and its origin.
    struct Member {
        let id: Int64
        let origin: Int64
    }

    /// The number of samples whose identity was removed.
    private(set) var stripped = 0
    private let connection: SQLiteConnection
    private let origins: ConvertedOrigins
    private let hasher: (any ContentHasher)?

    init(_ connection: SQLiteConnection, origins: ConvertedOrigins, hasher: (any ContentHasher)?) {
        self.connection = connection
        self.origins = origins
        self.hasher = hasher
    }

    mutating func convert(_ members: [Member], of type: PageType, to place: Place) throws {
        var columns = SampleColumns()
        for member in members {
            let bytes = try bytes(of: member.id, in: "sample_page")
            columns.append(try samples(bytes, of: member.origin, isCounted: true))
            if type.isLayered { try recordFormer(bytes, of: type, at: Place(day: place.day, origin: member.origin)) }
            try connection.execute("DELETE FROM sample_page WHERE id = ?", member.id)
        }
        if type.isLayered { try recordFormer(nil, of: type, at: place) }
        guard let page = try packed(columns, of: type, at: place) else { return }
        try connection.execute(
            """
            INSERT INTO sample_page
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, columns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, type.id, place.day, place.origin, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes))
    }

    mutating func convertTombstones(_ members: [Member], of type: PageType, to place: Place) throws {
        var columns = SampleColumns()
        var latest = Instant(milliseconds: .min)
        for member in members {
            columns.append(try samples(bytes(of: member.id, in: "sample_tombstone"), of: member.origin))
            let date = try connection.first(
                "SELECT export_date_ms FROM sample_tombstone WHERE id = ?", member.id, read: { try $0.instant() })
            latest = max(latest, date ?? latest)
            try connection.execute("DELETE FROM sample_tombstone WHERE id = ?", member.id)
        }
        guard let page = try packed(columns, of: type, at: place) else { return }
        try connection.execute(
            """
            INSERT INTO sample_tombstone
                (type_id, day, origin_id, count, sum, first_start_ms, last_end_ms, digest, export_date_ms, columns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, type.id, place.day, place.origin, page.summary.count, page.summary.sum, page.summary.firstStart,
            page.summary.lastEnd, page.digest, latest, SQLiteValue.blob(page.bytes))
    }

    /// Merges what export lineages contain of the pages. A page without such rows belongs to the first lineage. Call
    /// this before the pages themselves are merged.
    mutating func convertLineages(
        _ members: some Sequence<(Member, [(line: Int, id: Int64)])>, of type: PageType, to place: Place
    ) throws {
        var lines: [Int: SampleColumns] = [:]
        for (member, held) in members {
            if held.isEmpty {
                lines[0, default: SampleColumns()].append(
                    try samples(bytes(of: member.id, in: "sample_page"), of: member.origin))
            }
            for row in held {
                lines[row.line, default: SampleColumns()].append(
                    try samples(bytes(of: row.id, in: "line_page"), of: member.origin))
                try connection.execute("DELETE FROM line_page WHERE id = ?", row.id)
            }
        }
        for (line, columns) in lines.sorted(by: { $0.key < $1.key }) {
            guard let page = try packed(columns, of: type, at: place) else { continue }
            try connection.execute(
                """
                INSERT INTO line_page
                    (type_id, day, origin_id, line, count, sum, first_start_ms, last_end_ms, digest, columns)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, type.id, place.day, place.origin, line, page.summary.count, page.summary.sum,
                page.summary.firstStart, page.summary.lastEnd, page.digest, SQLiteValue.blob(page.bytes))
        }
    }

    /// Records the former content of a page, from which the ids that servers know are computed.
    private func recordFormer(_ bytes: [UInt8]?, of type: PageType, at place: Place) throws {
        try connection.execute(
            """
            INSERT OR IGNORE INTO changed_page (type_id, day, origin_id, columns, is_former) VALUES (?, ?, ?, ?, 1)
            """, type.id, place.day, place.origin, bytes.map(SQLiteValue.blob) ?? .null)
    }

    private func bytes(of id: Int64, in table: String) throws -> [UInt8] {
        guard let bytes = try connection.first("SELECT columns FROM \(table) WHERE id = ?", id, read: { try $0.blob() })
        else { throw SQLiteFailure.damaged(connection.path, "a page is missing") }
        return bytes
    }

    private mutating func samples(
        _ bytes: [UInt8], of origin: Int64, isCounted: Bool = false
    ) throws -> SampleColumns {
        guard var columns = try? SamplePageCodec.decode(bytes) else {
            throw SQLiteFailure.damaged(connection.path, "the database contains a damaged page")
        }
        guard origins.mayHaveUUIDs(origin) else { return columns }
        for (row, detail) in columns.details where (detail.externalID == nil) != (detail.syncVersion == nil) {
            if isCounted, detail.externalID != nil { stripped += 1 }
            var detail = detail
            (detail.externalID, detail.syncVersion) = (nil, nil)
            columns.details[row] = detail == SampleDetail() ? nil : detail
        }
        return columns
    }

    private func packed(_ columns: SampleColumns, of type: PageType, at place: Place) throws -> PackedPage? {
        guard let hasher else {
            throw SQLiteFailure.damaged(connection.path, "the database cannot be migrated")
        }
        let origin = try origins.origin(place.origin, path: connection.path)
        let columns = columns.normalized(origin.isPreAggregated ? .byBucket : .byContent).columns
        guard let summary = SamplePageSummary(of: columns) else { return nil }
        let key = SamplePageKey(type: type.type, origin: origin, day: place.day)
        let bytes = SamplePageCodec.encode(columns, day: place.day)
        return PackedPage(
            key: key, summary: summary, bytes: bytes, digest: hasher.pageDigest(of: bytes, at: key))
    }
}
